import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
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
  if (!existsSync(folder)) await install(cache, folder);
  return join(folder, 'bin');
}

/** Builds in a temporary folder and renames it, so that copies that run at the same time never see half an installation. */
async function install(cache, folder) {
  mkdirSync(cache, { recursive: true });
  const building = mkdtempSync(join(cache, 'building-'));
  try {
    console.error('Installing Python packages (.ci/requirements.txt) ...');
    await must('python3', ['-m', 'venv', building], 'Python 3 with venv is needed (apt-get install python3-venv)');
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--requirement', requirements];
    await must(join(building, 'bin/python'), pip, 'pip could not install them; it needs the network the first time');
    renameSync(building, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

async function must(command, args, remedy) {
  const code = await run(command, args).catch(() => 1);
  if (code !== 0) throw new Error(`${command} failed: ${remedy}.`);
}
