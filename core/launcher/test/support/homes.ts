import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postmasterPid } from '../../../../test/support/postmaster-pid';

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

function endLeftovers(home: string): void {
  const readers = [() => postmasterPid(home), () => hostPid(home)];
  for (const read of readers) {
    try {
      const pid = read();
      // Tests write the number of this process into files of homes, as that of a process that has ended.
      if (pid !== process.pid) process.kill(pid, 'SIGKILL');
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
