import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(__dirname, '..', '..', 'scripts', 'bundle-workflows.mjs');

/**
 * Bundles the workflows of a folder as the build does, or copies the bundle that another file of the test run has made.
 * @param name of workflows that are the same for the whole run
 * @returns the file
 */
export async function bundleOnce(folder: string, name: string): Promise<string> {
  const bundle = join(folder, 'dist', 'workflow-bundle.js');
  const run = process.env['GANTRY_TEST_FOLDER'];
  const kept = run === undefined ? undefined : join(run, `${name}.js`);
  if (kept !== undefined && existsSync(kept)) {
    await copyFile(kept, bundle);
    return bundle;
  }
  await promisify(execFile)(process.execPath, [script, folder]);
  if (kept !== undefined) {
    // Another worker may copy it at this moment.
    const own = `${kept}.${process.pid}`;
    await copyFile(bundle, own);
    await rename(own, kept);
  }
  return bundle;
}
