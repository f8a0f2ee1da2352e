import { z } from 'zod';
import { readJsonIfThere, writeAtomically } from '../common/files';
import type { TemporalLayout } from './binaries/layout';

const runtimeSchema = z.object({
  process: z.object({ pid: z.number(), startedAt: z.string() }).optional(),
  ports: z.object({ frontend: z.number(), http: z.number() }),
  /** The only `Host` that the HTTP API of the process answers; a server of an earlier version has none and answers any. */
  httpHost: z.string().optional(),
  serverVersion: z.string().optional(),
});

/** Ports of the embedded server on loopback: gRPC and its HTTP API. */
export type TemporalPorts = TemporalRuntime['ports'];

/** The record of a start for the next one; without a process, the server was stopped. */
export type TemporalRuntime = Readonly<z.infer<typeof runtimeSchema>>;

export function readRuntime({ runtime }: TemporalLayout): TemporalRuntime | undefined {
  return runtimeSchema.safeParse(readJsonIfThere(runtime)).data;
}

export function writeRuntime({ runtime }: TemporalLayout, content: TemporalRuntime): void {
  writeAtomically(runtime, `${JSON.stringify(content)}\n`);
}
