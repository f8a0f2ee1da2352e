import type { Migration } from '@gantry/plugin-api';

/** Preferences are not an item type: they must not appear in the content. */
export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-preferences',
    async up({ query }) {
      await query('CREATE SEQUENCE IF NOT EXISTS admin_ui_preference_version');
      await query(
        `CREATE TABLE IF NOT EXISTS admin_ui_preference (
           owner text NOT NULL,
           name text NOT NULL,
           version bigint NOT NULL DEFAULT nextval('admin_ui_preference_version'),
           value jsonb NOT NULL,
           updated_at timestamptz NOT NULL DEFAULT now(),
           PRIMARY KEY (owner, name))`,
      );
    },
  },
];
