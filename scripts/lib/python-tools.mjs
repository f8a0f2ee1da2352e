import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { withLock } from './lock.mjs';
import { root, run } from './run.mjs';

const requirements = join(root, '.ci/requirements.txt');

/**
 * The packages of Python that the fuzz needs (.ci/requirements.txt), installed once per user and list, and shared by all copies of
 * the repository. Resolves with the folder of their executables.
 */
export async function ensurePythonTools(environment = process.env) {
  const cache = cacheFolder(environment);
  const list = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(cache, `python-tools-${list}`);
  const installOnce = async () => {
    // Another process may have done it in the meantime.
    if (!existsSync(folder)) await install(folder);
  };
  if (!existsSync(folder)) {
    await withLock(`${folder}.lock`, installOnce, (pid) =>
      console.error(`Waiting for process ${pid}, which is installing Python packages ...`),
    );
  }
  return join(folder, 'bin');
}

/** Builds beside the folder and renames, so that no process sees half of it. What a killed run has left is removed. */
async function install(folder) {
  const building = `${folder}.building`;
  rmSync(building, { recursive: true, force: true });
  try {
    console.error('Installing Python packages (.ci/requirements.txt) ...');
    await must('python3', ['-m', 'venv', building], 'Python 3 with venv is needed (apt-get install python3-venv)');
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--requirement', requirements];
    await must(join(building, 'bin/python'), pip, 'pip could not install them; it needs the network the first time');
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

async function must(command, args, remedy) {
  const code = await run(command, args).catch(() => 1);
  if (code !== 0) throw new Error(`${command} failed: ${remedy}.`);
}
