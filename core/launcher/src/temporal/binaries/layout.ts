import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@gantry/core-common';

/** Where the embedded Temporal keeps what under GANTRY_HOME. */
export interface TemporalLayout {
  readonly root: string;
  /** Process and ports of the server, so that the next start finds it again. */
  readonly runtime: string;
  /** The state of Temporal, for hosts to read while it does not answer. */
  readonly state: string;
  readonly log: string;
}

export function temporalLayout(home: string): TemporalLayout {
  const root = join(home, 'temporal');
  return {
    root,
    runtime: join(root, 'runtime.json'),
    state: join(root, 'state.json'),
    log: join(home, 'logs', 'temporal.log'),
  };
}

const dataFileName = /^server-(\d+\.\d+\.\d+.*)\.db$/;

/** The file with all workflows. A server does not convert the file of another version, so each version has its own. */
export function dataFileOf({ root }: TemporalLayout, serverVersion: string): string {
  return join(root, `server-${serverVersion}.db`);
}

/** The server versions that left a data file, the one used last first. */
export function dataFileVersions({ root }: TemporalLayout): readonly string[] {
  return namesIn(root)
    .flatMap((name) => {
      const version = dataFileName.exec(name)?.[1];
      const usedAt = statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs;
      return version === undefined || usedAt === undefined ? [] : [{ version, usedAt }];
    })
    .toSorted((first, second) => second.usedAt - first.usedAt)
    .map(({ version }) => version);
}

/** An empty list for a folder that is not there. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
