import { platform, type ColumnSpec, type PluginSchema } from '@gantry/core-database';

/** Requests that came with a key, and what they were answered. */
export const idempotencySchema: PluginSchema = {
  id: platform,
  migrations: [],
  tables: [
    {
      plugin: platform,
      name: 'gantry_answered_request',
      columns: [
        { name: 'id', type: 'BIGINT', nullable: false, identity: true },
        text('caller'),
        text('operation'),
        text('key'),
        text('request_hash'),
        // Null while the request is worked on, and where it is not known what became of it.
        { name: 'answer', type: 'text', nullable: true },
        { name: 'begun_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
      ],
      primaryKey: ['id'],
      indexes: [
        {
          name: 'gantry_answered_request_caller_operation_key_key',
          columns: ['caller', 'operation', 'key'],
          unique: true,
          method: 'btree',
        },
        { name: 'gantry_answered_request_begun_at_idx', columns: ['begun_at'], unique: false, method: 'btree' },
      ],
      foreignKeys: [],
    },
  ],
};

function text(name: string): ColumnSpec {
  return { name, type: 'text', nullable: false };
}
