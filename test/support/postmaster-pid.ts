import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The process id of the home's PostgreSQL, from the server's own file.
 * @throws while the server has not written it: to Node.js and the kernel, process 0 is the group of the sender
 */
export function postmasterPid(home: string): number {
  const [line = ''] = readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const pid = Number(line);
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new Error(`postmaster.pid of ${home} names no process: "${line}"`);
  return pid;
}
