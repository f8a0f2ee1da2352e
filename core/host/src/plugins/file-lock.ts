import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PluginError } from './plugin-error';

/** Longer than any change of a small file takes. */
const patienceMs = 2000;
const retryMs = 20;

/**
 * Runs `work` while this process alone holds the lock file, which names its holder. A lock whose holder has died is taken over.
 * @throws PluginError PLUGIN_STATE_BUSY
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (!(await take(file))) {
    if (await isAbandoned(file)) {
      await rm(file, { force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new PluginError(
        'PLUGIN_STATE_BUSY',
        `Another command holds ${file}`,
        `Try again; if no command runs, remove the file: rm "${file}"`,
      );
    }
    await sleep(retryMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
