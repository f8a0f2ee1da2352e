import { createRequire } from 'node:module';
import { temporal as proto } from '@temporalio/proto';
import type { HistoryEvent } from './history';

type RawEvent = proto.api.history.v1.IHistoryEvent;

/**
 * Events as the JSON that Temporal's other tools write. npm installs several copies of protobufjs, each of which accepts the types of its
 * own only, so that the copy of `@temporalio/proto`, to which the types belong, is the one that converts.
 */
export function historyToJson(events: readonly RawEvent[]): readonly HistoryEvent[] {
  if (events.length === 0) return [];
  const { History } = proto.api.history.v1;
  return protoJson.toJson(History, History.fromObject({ events })).events;
}

const protoJson = createRequire(require.resolve('@temporalio/proto'))('protobufjs/ext/protojson') as {
  toJson(type: unknown, message: proto.api.history.v1.History): { readonly events: readonly HistoryEvent[] };
};
