import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The process id of the home's PostgreSQL, from the server's own file. Linux only.
 * @throws while that is not written, and for the number of a process that does not serve the home: tests send signals to it
 */
export function postmasterPid(home: string): number {
  const folder = join(home, 'postgres/data');
  const [line = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  const pid = Number(line);
  const serves = line !== '' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  if (!serves) throw new Error(`postmaster.pid names no server of ${home}: "${line}"`);
  return pid;
}
