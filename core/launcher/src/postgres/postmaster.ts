import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { referenceOf, sendSignal, type ProcessReference } from '@gantry/core-common';
import { readIfThere } from '../common/files';

/** The state of the server of a data folder, from postmaster.pid and the process that it names. */
export type Postmaster =
  | { readonly kind: 'none' }
  /** The file was left by a server that is gone. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'running'; readonly process: ProcessReference; readonly port: number; readonly status: string };

export function readPostmaster(dataFolder: string): Postmaster {
  const text = readIfThere(join(dataFolder, 'postmaster.pid'));
  if (text === undefined) return { kind: 'none' };
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const reference = Number.isInteger(pid) && pid > 1 ? referenceOf(pid) : undefined;
  if (reference === undefined || !serves(pid, dataFolder)) return { kind: 'stale' };
  return { kind: 'running', process: reference, port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

/**
 * PostgreSQL refuses to start when the number in its file belongs to any living process of the same user, or to a zombie.
 * The shared memory it left still guards against a second server on the same files.
 */
export function removeStaleFile(dataFolder: string): void {
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
}

/** Ends processes that a killed server left busy with a query: they hold its shared memory, and no new one can start. */
export function endOrphans(dataFolder: string, how: NodeJS.Signals): void {
  if (process.platform !== 'linux') return;
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (Number.isInteger(pid) && pid > 1 && serves(pid, dataFolder)) sendSignal(pid, how);
  }
}

/** Every process of a server works inside its data folder, also after that folder was moved. */
function serves(pid: number, dataFolder: string): boolean {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('postgres');
  }
  try {
    // The name as well, so that a shell in that folder is not mistaken for a server.
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
    return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder);
  } catch {
    return false;
  }
}
