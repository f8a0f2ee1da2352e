import { renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureFolder } from './files';

const defaultLimit = 10 * 1024 * 1024;
const keptLogs = 3;

/**
 * Makes room before a log is opened: a file over the limit becomes `.1`, the older ones move on, three are kept.
 * @param limit bytes; 10 MiB unless given
 */
export function rotateLog(file: string, limit = defaultLimit): void {
  ensureFolder(dirname(file));
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= limit) return;
  for (let number = keptLogs - 1; number >= 1; number -= 1) moveIfThere(`${file}.${number}`, `${file}.${number + 1}`);
  moveIfThere(file, `${file}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
