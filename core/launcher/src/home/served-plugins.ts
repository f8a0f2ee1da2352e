import { join } from 'node:path';
import { z } from 'zod';
import type { StartupReport } from '@gantry/contracts';
import type { ServedPlugins } from '@gantry/core-supervisor';
import { readJsonIfThere, writeAtomically } from '../common/files';

const schema = z.object({ plugins: z.record(z.string(), z.string()) });

/** Keeps the plugins that were served in `served-plugins.json` of the home. */
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
