import { platform, tableExists, type PluginSchema } from '@gantry/core-database';

/** Settings of plugins. */
export const pluginSettingsSchema: PluginSchema = {
  id: platform,
  migrations: [],
  tables: [
    {
      plugin: platform,
      name: 'gantry_plugin_setting',
      primaryKey: ['plugin'],
      columns: [
        { name: 'plugin', type: 'text', nullable: false },
        // Of secrets, the encrypted text.
        { name: 'set_values', type: 'JSONB', nullable: false },
        { name: 'version', type: 'BIGINT', nullable: false },
      ],
      indexes: [],
      foreignKeys: [],
    },
  ],
  events: {
    async purged(client, { plugin }) {
      if (!(await tableExists(client, 'gantry_plugin_setting'))) return;
      await client.query('DELETE FROM public.gantry_plugin_setting WHERE plugin = $1', [plugin]);
    },
  },
};
