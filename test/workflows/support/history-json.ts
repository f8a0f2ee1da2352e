import { createRequire } from 'node:module';
import { temporal as proto } from '@temporalio/proto';

type History = proto.api.history.v1.IHistory;

/** The copy of protobufjs to which the types belong; another one does not accept them. */
const protoJson = createRequire(require.resolve('@temporalio/proto'))('protobufjs/ext/protojson') as {
  toJson(type: unknown, message: unknown): unknown;
  fromJson(type: unknown, json: unknown, options: { readonly ignoreUnknownFields: boolean }): History;
};

const type = proto.api.history.v1.History;

/** A history as the JSON that Temporal's other tools write. */
export function historyToJson(history: History): unknown {
  return protoJson.toJson(type, type.fromObject(history));
}

export function historyFromJson(json: unknown): History {
  return protoJson.fromJson(type, json, { ignoreUnknownFields: true });
}
