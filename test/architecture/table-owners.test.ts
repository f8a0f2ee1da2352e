import { join, relative } from 'node:path';
import { codeLines, sourceFiles } from '../support/source-files';

const root = join(__dirname, '../..');

/** Folders whose code and SQL may name a table, by the beginnings of the names. The longest beginning counts. */
const owners: Readonly<Record<string, readonly string[]>> = {
  // The lowest floor and the content that it stores; the search and the feed are written by triggers of item tables.
  ...{ gantry_search: ['core/database/src', 'core/content/src', 'core/modules/history/src'] },
  ...{ gantry_change: ['core/database/src', 'core/content/src', 'core/modules/history/src'] },
  ...{ gantry_plugin_schema: ['core/database/src', 'core/content/src', 'core/modules/history/src'] },
  ...{ gantry_migrations: ['core/database/src'], gantry_setting: ['core/database/src'] },
  ...{ gantry_type_event: ['core/database/src'], gantry_running_host: ['core/database/src'] },
  ...Object.fromEntries(
    [
      ...['user', 'role', 'known_type', 'session', 'api_token', 'audit_event', 'known_device', 'one_time_link'],
      ...['passkey', 'provider_request', 'recovery_code', 'external_identity', 'second_factor', 'totp'],
    ].map((name) => [`gantry_${name}`, ['core/modules/identity/src']]),
  ),
  ...Object.fromEntries(
    ['subscription', 'webhook', 'waiting_change', 'undelivered_change', 'delivery'].map((name) => [
      `gantry_${name}`,
      ['core/modules/webhooks/src'],
    ]),
  ),
  ...{ gantry_answered_request: ['core/http/src/idempotency'] },
  ...{
    gantry_plugin_set: ['core/modules/lifecycle/src/plugin-set'],
    gantry_plugin_archive: ['core/modules/lifecycle/src/plugin-set'],
  },
  ...{ gantry_plugin_setting: ['core/modules/lifecycle/src/settings'] },
  ...{ gantry_plugin_seed: ['core/modules/lifecycle/src/settings'] },
  ...{ gantry_plugin_package: ['core/modules/lifecycle/src/plugin-set'] },
  ...{ admin_ui_preference: ['plugins/admin-ui/src'], order_order: ['services/order/src'] },
};

describe('tables', () => {
  it('are named by their owners alone', () => {
    const names = Object.keys(owners).toSorted((a, b) => b.length - a.length);
    const name = new RegExp(`\\b(?:${names.join('|')})(?:_[a-z_]+)?\\b`, 'g');
    const foreign = ['core', 'plugins', 'services', 'cli']
      .flatMap((folder) => sourceFiles(join(root, folder)))
      .map((file) => relative(root, file))
      .filter((file) => /^[^.]*\/src\//.test(file) && !/node_modules|dist\//.test(file))
      .flatMap((file) =>
        [...codeLines(join(root, file)).join('\n').matchAll(name)].flatMap(([found]) => {
          const owner = names.find((one) => found.startsWith(one)) ?? '';
          const isOwn = (owners[owner] ?? []).some((folder) => file.startsWith(`${folder}/`));
          return isOwn ? [] : `${file}: ${found}`;
        }),
      );
    expect([...new Set(foreign)]).toEqual([]);
  });

  it('of the platform all have an owner', () => {
    const created =
      /(?:name: |table\(\s*|ofUser\(|ofOwner\(\s*|ofChange\(|CREATE TABLE (?:IF NOT EXISTS )?(?:public\.)?)'?(gantry_[a-z_]+)/g;
    const known = Object.keys(owners);
    const folders = [
      ...['database/src', 'content/src', 'http/src/idempotency', 'modules/lifecycle/src/plugin-set'],
      ...['modules/identity/src', 'modules/webhooks/src'],
    ];
    const found = folders
      .flatMap((folder) => sourceFiles(join(root, 'core', folder)))
      .flatMap((file) =>
        [...codeLines(file).join('\n').matchAll(created)].flatMap(([, table = '']) =>
          // Counters are no tables.
          table.endsWith('_total') || known.some((one) => table.startsWith(one)) ? [] : table,
        ),
      );
    expect([...new Set(found)]).toEqual([]);
  });
});
