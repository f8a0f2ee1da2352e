import { messageOf } from '@gantry/core-common';
import type { ItemTransaction, Seed } from '@gantry/plugin-api';
import type { RegisteredPlugin } from '../record/registered-plugin';

/** Runs the work unless that seed of the plugin was brought before, and remembers it. */
export type SeedOnce = (plugin: string, name: string, work: () => Promise<void>) => Promise<void>;

/** Brings the seed data that the plugin has not brought yet, in the order in which it lists them. */
export async function bringSeeds({ definition, manifest, context }: RegisteredPlugin, once: SeedOnce): Promise<void> {
  for (const seed of definition.seeds ?? []) {
    await once(manifest.id, seed.name, async () => {
      try {
        await context.items.transaction((items) => bring(seed, items));
      } catch (error) {
        const reason = messageOf(error);
        throw new Error(`The seed data "${seed.name}" cannot be stored: ${reason}`, { cause: error });
      }
    });
  }
}

async function bring({ type, by, rows }: Seed, items: ItemTransaction): Promise<void> {
  const collection = items.byType(type);
  for (const row of typeof rows === 'function' ? await rows(items) : rows) {
    await collection.createIfAbsent(row, { by });
  }
}
