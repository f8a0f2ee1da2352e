import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, sendSignal, type ProcessReference } from '@gantry/core-common';
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

/** Tests write made-up numbers into the files of homes: only processes of the home are ended. */
function endLeftovers(home: string): void {
  try {
    process.kill(postmasterPid(home), 'SIGKILL');
  } catch {
    // The process had ended before.
  }
  const host = readHost(home);
  if (host !== undefined && isAlive(host)) sendSignal(host.pid, 'SIGKILL');
}

function readHost(home: string): ProcessReference | undefined {
  try {
    return (JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as { readonly host?: ProcessReference }).host;
  } catch {
    return undefined;
  }
}
