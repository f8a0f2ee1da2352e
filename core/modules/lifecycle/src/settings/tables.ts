import { platform, tableExists, type PluginSchema } from '@gantry/core-database';

const text = (name: string) => ({ name, type: 'text', nullable: false });
const shared = { plugin: platform, indexes: [], foreignKeys: [] };

/** Settings of plugins, and which seed data they have brought. */
export const pluginSettingsSchema: PluginSchema = {
  id: platform,
  migrations: [],
  tables: [
    {
      ...shared,
      name: 'gantry_plugin_setting',
      primaryKey: ['plugin'],
      columns: [
        text('plugin'),
        // Of secrets, the encrypted text.
        { name: 'set_values', type: 'JSONB', nullable: false },
        { name: 'version', type: 'BIGINT', nullable: false },
      ],
    },
    { ...shared, name: 'gantry_plugin_seed', primaryKey: ['plugin', 'name'], columns: [text('plugin'), text('name')] },
  ],
  events: {
    async purged(client, { plugin }) {
      for (const table of ['gantry_plugin_setting', 'gantry_plugin_seed']) {
        if (!(await tableExists(client, table))) continue;
        await client.query(`DELETE FROM public.${table} WHERE plugin = $1`, [plugin]);
      }
    },
  },
};
