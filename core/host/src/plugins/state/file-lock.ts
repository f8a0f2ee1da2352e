import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PluginError } from '../plugin-error';

/** Longer than any change of a small file takes; others may get the lock before. */
const waitTimeoutMs = 2000;
const retryMs = 20;

/**
 * Runs `work` while this caller alone holds the lock file, which names the process. A lock whose holder has died is taken
 * over.
 * @throws PluginError PLUGIN_STATE_BUSY when one holder does not let go of it
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const own = `${process.pid} ${randomUUID()}`;
  let [holder, heldSince] = ['', Date.now()];
  while (!(await take(file, own))) {
    const found = await readFile(file, 'utf8').catch(() => '');
    if (isAbandoned(found)) {
      await remove(file, found);
      continue;
    }
    if (found !== holder) [holder, heldSince] = [found, Date.now()];
    if (Date.now() - heldSince > waitTimeoutMs) {
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

async function take(file: string, own: string): Promise<boolean> {
  try {
    await writeFile(file, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(content: string): boolean {
  const holder = Number.parseInt(content, 10);
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Renaming first makes sure that the checked lock is removed, and not the lock of a faster process. */
async function remove(file: string, judged: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== judged) await link(aside, file);
  } catch {
    // Another process was faster, which is fine.
  }
  await rm(aside, { force: true });
}
