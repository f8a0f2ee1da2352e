import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, ownReference } from '@gantry/core-common';
import { ensureFolder, readJsonIfThere, writeAtomically } from '../common/files';

/** The file of a client, which names its launcher so that a killed one is recognised. */
const clientSchema = z.object({ launcher: z.object({ pid: z.number(), startedAt: z.string() }) });

/** Writes down that this process uses the servers of the home although another one keeps them. */
export function writeLeaseClient(home: string, content: object = {}): void {
  ensureFolder(folderOf(home), 0o700);
  writeAtomically(
    fileOf(home, process.pid),
    `${JSON.stringify({ ...content, launcher: ownReference() }, undefined, 2)}\n`,
  );
}

export function removeLeaseClient(home: string): void {
  rmSync(fileOf(home, process.pid), { force: true });
}

/** Whether another living process uses the servers of the home. */
export function hasLeaseClients(home: string): boolean {
  return namesIn(folderOf(home)).some((name) => {
    const client = clientSchema.safeParse(readJsonIfThere(join(folderOf(home), name))).data;
    return client !== undefined && client.launcher.pid !== process.pid && isAlive(client.launcher);
  });
}

function folderOf(home: string): string {
  return join(home, 'guests');
}

function fileOf(home: string, pid: number): string {
  return join(folderOf(home), `${pid}.json`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}
