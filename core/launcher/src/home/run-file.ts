import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '@gantry/core-common';
import { readJsonIfThere, writeAtomically } from '../common/files';

const referenceSchema = z.object({ pid: z.number(), startedAt: z.string() });

const runSchema = z.object({
  /** The launcher. */
  launcher: referenceSchema,
  host: referenceSchema.optional(),
  /** A host that is to replace the other one. */
  successor: referenceSchema.optional(),
  /** Process ids of the embedded servers by name. */
  servers: z.record(z.string(), z.number()),
  project: z.string(),
  /** Absolute folders of its plugins, for commands that act on what it serves. */
  pluginPath: z.array(z.string()).optional(),
  databaseUrl: z.string(),
  /** Variables of the embedded servers, for commands that speak to them. */
  environment: z.record(z.string(), z.string()),
  /** Base address of HTTP; absent until the host is ready. */
  address: z.string().optional(),
  startedAt: z.string(),
});

/** The facts that a running platform publishes for other processes, in GANTRY_HOME/run.json (readable by its owner only). @public */
export type RunningPlatform = Readonly<z.infer<typeof runSchema>>;

/** The content of the file, whether or not the platform still runs. */
export function readRunFile(home: string): RunningPlatform | undefined {
  return runSchema.safeParse(readJsonIfThere(runFile(home))).data;
}

/** @returns the platform that runs on this home at this moment, if there is one. @public */
export function findRunningPlatform(home: string): RunningPlatform | undefined {
  const found = readRunFile(home);
  return found !== undefined && isAlive(found.launcher) ? found : undefined;
}

export function writeRunFile(home: string, content: RunningPlatform): void {
  writeAtomically(runFile(home), `${JSON.stringify(content, undefined, 2)}\n`);
}

export function removeRunFile(home: string): void {
  rmSync(runFile(home), { force: true });
}

function runFile(home: string): string {
  return join(home, 'run.json');
}
