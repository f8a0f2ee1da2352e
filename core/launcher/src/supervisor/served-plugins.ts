import { join } from 'node:path';
import { z } from 'zod';
import type { StartupReport } from '@gantry/contracts';
import { readJsonIfThere, writeAtomically } from '../common/files';

/**
 * The plugins that were served until the time after a change had passed without a crash, with their versions. A plugin that
 * is not among them at a start was put into a plugin folder since, which counts as a change.
 */
export interface ServedPlugins {
  /** What is different in this report; nothing when nothing is known of an earlier start. */
  compare(report: StartupReport): ServedDifference;
  record(report: StartupReport): void;
}

/** Ids of started plugins. */
export interface ServedDifference {
  /** Those that were not served. */
  readonly added: readonly string[];
  /** Those that were served in another version. */
  readonly updated: readonly string[];
}

const schema = z.object({ plugins: z.record(z.string(), z.string()) });

/** Keeps them in `served-plugins.json` of the home. */
export function createServedPlugins(home: string): ServedPlugins {
  const file = join(home, 'served-plugins.json');
  const read = (): Readonly<Record<string, string>> | undefined =>
    schema.safeParse(readJsonIfThere(file)).data?.plugins;
  return {
    compare: (report) => {
      const known = read();
      if (known === undefined) return { added: [], updated: [] };
      const changed = started(report).filter(({ id, version }) => known[id] !== version);
      const ids = changed.map(({ id }) => id);
      return {
        added: ids.filter((id) => !Object.hasOwn(known, id)),
        updated: ids.filter((id) => Object.hasOwn(known, id)),
      };
    },
    record: (report) => {
      const plugins = Object.fromEntries(started(report).map(({ id, version }) => [id, version]));
      // A process that runs only some of the plugins knows nothing of the others.
      writeAtomically(file, `${JSON.stringify({ plugins: { ...read(), ...plugins } }, undefined, 2)}\n`);
    },
  };
}

function started({ plugins }: StartupReport): StartupReport['plugins'] {
  return plugins.filter(({ state }) => state === 'started');
}
