const { platform } = require('@gantry/core-database');

const text = (name) => ({ name, type: 'text', nullable: false });

exports.tables = {
  id: platform,
  migrations: [],
  tables: [
    {
      plugin: platform,
      name: 'gantry_announcement',
      columns: [
        { name: 'id', type: 'BIGINT', nullable: false, identity: true },
        text('title'),
        text('body'),
        { name: 'written_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
        { name: 'until', type: 'TIMESTAMPTZ(3)', nullable: true },
      ],
      primaryKey: ['id'],
      indexes: [],
      foreignKeys: [],
    },
  ],
};
