import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** An empty folder that every user may enter; removed by {@link removeHomes}. */
export function makeHome(parent = tmpdir()): string {
  const folder = mkdtempSync(join(realpathSync(parent), 'gantry-launcher-'));
  chmodSync(folder, 0o755);
  made.push(folder);
  return join(folder, 'home');
}

/** Ends whatever a failed test left running on its homes, and removes them. */
export function removeHomes(): void {
  for (const folder of made.splice(0)) {
    endLeftovers(join(folder, 'home'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The process id of the home's PostgreSQL, from its own file. */
export function postmasterPid(home: string): number {
  return Number(readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
}

function endLeftovers(home: string): void {
  const pids = [() => postmasterPid(home), () => hostPid(home)];
  for (const pid of pids) {
    try {
      process.kill(pid(), 'SIGKILL');
    } catch {
      // Nothing was left.
    }
  }
}

function hostPid(home: string): number {
  const content = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as {
    readonly host: { readonly pid: number };
  };
  return content.host.pid;
}
