import type { Database } from '@gantry/plugin-api';

/** Remembers in the database which seed data of which plugin were brought; of a purged plugin, none. */
export function createSeedOnce(database: Database) {
  return async function seedOnce(plugin: string, name: string, work: () => Promise<void>): Promise<void> {
    const known = await database.query('SELECT FROM gantry_plugin_seed WHERE plugin = $1 AND name = $2', [
      plugin,
      name,
    ]);
    if (known.length > 0) return;
    await work();
    await database.query('INSERT INTO gantry_plugin_seed (plugin, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      plugin,
      name,
    ]);
  };
}
