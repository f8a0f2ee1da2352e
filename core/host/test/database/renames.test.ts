import {
  bringUpToDate,
  planOnly,
  type ChangeSpec,
  type PluginSchema,
  type SchemaOutcome,
  type TableSpec,
} from '@gantry/core-database';
import { identitySchema } from '@gantry/core-identity/commands';
import { subscriptionSchema } from '@gantry/core-webhooks/commands';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { column, foreignKey, index, tableSpec } from '../../../../test/support/table-specs';

const empty = useEmptyDatabase();

interface Names {
  readonly code: string;
  readonly field: string;
  /** Name of the MULTIPLE reference. */
  readonly links: string;
}

const before: Names = { code: 'item', field: 'label', links: 'parts' };
const after: Names = { code: 'product', field: 'title', links: 'pieces' };

/** A plugin as the platform makes it of a type with a text and a reference to several items, and a type that refers to it. */
function shop({ code, field, links }: Names, earlier?: Names): PluginSchema {
  const table = `shop_${code}`;
  const linkTable = `${table}_${links}`;
  const changes: ChangeSpec = {
    fields: [
      { name: field, column: field },
      { name: links, column: '', linkTable, target: { table, isCodeFirst: false } },
    ],
  };
  const linkNames = earlier && [`${table}_${links}`, `shop_${earlier.code}_${links}`];
  const oldLinks = earlier && [`${table}_${earlier.links}`, `shop_${earlier.code}_${earlier.links}`];
  const items: TableSpec = {
    ...tableSpec('shop', table, {
      columns: [
        column('version', 'INTEGER', { nullable: false, default: '1' }),
        column('updated_at', 'TIMESTAMPTZ(3)', { nullable: false, default: 'now()' }),
        column(field, 'VARCHAR(255)', { nullable: false, ...(earlier && { renamedFrom: [earlier.field] }) }),
      ],
      indexes: [index(`${table}_${field}_key`, [field], { unique: true })],
    }),
    search: { label: [field] },
    changes,
    ...(earlier && {
      renamedFrom: [`shop_${earlier.code}`],
      earlier: {
        code,
        earlierCodes: [earlier.code],
        fields: [
          { name: field, earlier: [{ name: earlier.field, storedIn: [earlier.field] }] },
          { name: links, earlier: [{ name: earlier.links, storedIn: oldLinks ?? [] }] },
        ],
      },
    }),
  };
  const linked: TableSpec = {
    plugin: 'shop',
    name: linkTable,
    links: { itemTable: table, name: links, target: { table, isCodeFirst: false } },
    columns: [
      column('item_id', 'BIGINT', { nullable: false }),
      column('target_id', 'BIGINT', { nullable: false }),
      column('position', 'INTEGER', { nullable: false }),
    ],
    primaryKey: ['item_id', 'target_id'],
    indexes: [index(`${linkTable}_target_idx`, ['target_id', 'item_id'])],
    foreignKeys: [
      { name: `${linkTable}_item_fkey`, column: 'item_id', referencedTable: table, onDelete: 'CASCADE' },
      foreignKey(`${linkTable}_target_fkey`, 'target_id', table),
    ],
    ...(earlier && { renamedFrom: [...(linkNames ?? []).slice(1), ...(oldLinks ?? [])] }),
  };
  const boxes: TableSpec = {
    ...tableSpec('shop', 'shop_box', {
      columns: [
        column('version', 'INTEGER', { nullable: false, default: '1' }),
        column('updated_at', 'TIMESTAMPTZ(3)', { nullable: false, default: 'now()' }),
        column('best_id', 'BIGINT'),
      ],
      foreignKeys: [foreignKey('shop_box_best_id_fkey', 'best_id', table)],
    }),
    search: { label: [] },
    changes: { fields: [{ name: 'best', column: 'best_id', target: { table, isCodeFirst: false } }] },
  };
  return { id: 'shop', migrations: [], tables: [items, linked, boxes] };
}

function run(plugin: PluginSchema): Promise<SchemaOutcome> {
  return bringUpToDate({
    databaseUrl: empty.database.url,
    plugins: [identitySchema, subscriptionSchema, plugin],
    logger: createRecordedLogger(),
  });
}

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> => (await empty.client.query(sql)).rows;

async function fill(): Promise<void> {
  await run(shop(before));
  await empty.client.query(`INSERT INTO shop_item (label) VALUES ('spade'), ('rake')`);
  await empty.client.query(`UPDATE shop_item SET label = 'fork' WHERE id = 2`);
  await empty.client.query('INSERT INTO shop_item_parts VALUES (1, 2, 0)');
  await empty.client.query('INSERT INTO shop_box (best_id) VALUES (1)');
}

describe('a rename of a type and its fields', () => {
  it('keeps items, links and references, and leaves nothing to do', async () => {
    await fill();
    const outcome = await run(shop(after, before));
    expect(outcome).toMatchObject({ failures: [], differences: [], kept: [] });
    expect(await rows('SELECT id, title FROM shop_product ORDER BY id')).toEqual([
      { id: '1', title: 'spade' },
      { id: '2', title: 'fork' },
    ]);
    expect(await rows('SELECT item_id, target_id FROM shop_product_pieces')).toEqual([
      { item_id: '1', target_id: '2' },
    ]);
    expect(await rows('SELECT best_id FROM shop_box')).toEqual([{ best_id: '1' }]);
    expect(await rows(`SELECT relname FROM pg_class WHERE relname ~ '^shop_item' AND relkind = 'r'`)).toEqual([]);
    expect(
      await rows(`SELECT relname FROM pg_class WHERE relname ~ '^shop.*(label|parts)' AND relname !~ '_pkey$'`),
    ).toEqual([]);
    expect((await run(shop(after, before))).applied).toEqual([]);
  });

  it('keeps history and search entries under the names of today; later writes add to them', async () => {
    await fill();
    await run(shop(after, before));
    await empty.client.query(`UPDATE shop_product SET title = 'hoe' WHERE id = 2`);
    const history = await rows(
      `SELECT version, values ->> 'title' AS title, previous ->> 'title' AS previous, values ? 'label' AS stale
       FROM gantry_change WHERE item_table = 'shop_product' AND item_id = 2 ORDER BY sequence`,
    );
    expect(history).toEqual([
      { version: 1, title: 'rake', previous: null, stale: false },
      { version: 2, title: 'fork', previous: 'rake', stale: false },
      { version: 3, title: 'hoe', previous: 'fork', stale: false },
    ]);
    expect(
      await rows(`SELECT labels -> 'pieces' AS labels FROM gantry_change WHERE item_table = 'shop_product' AND item_id = 1
        ORDER BY sequence DESC LIMIT 1`),
    ).toEqual([{ labels: { 2: 'fork' } }]);
    expect(await rows('SELECT item_table, item_id, label FROM gantry_search ORDER BY item_table, item_id')).toEqual([
      { item_table: 'shop_box', item_id: '1', label: null },
      { item_table: 'shop_product', item_id: '1', label: 'spade' },
      { item_table: 'shop_product', item_id: '2', label: 'hoe' },
    ]);
    expect(await rows(`SELECT proname FROM pg_proc WHERE proname ~ 'shop_item'`)).toEqual([]);
    expect(
      await rows(
        `SELECT field, since, target FROM gantry_change_target WHERE item_table = 'shop_product' AND field <> ''`,
      ),
    ).toEqual([{ field: 'pieces', since: '0', target: 'shop_product' }]);
    expect(await rows(`SELECT FROM gantry_change_target WHERE 'shop_item' IN (item_table, target)`)).toEqual([]);
  });

  it('carries over what names a reference to several items, also when nothing else is renamed', async () => {
    await fill();
    await empty.client.query(
      `INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ('r', 'r', '',
        '[{"on":{"plugin":"shop","type":"item"},"actions":["read"],"readableFields":["parts"]}]', '{}')`,
    );
    expect(await run(shop({ ...before, links: 'pieces' }, before))).toMatchObject({ failures: [], differences: [] });
    expect(await rows(`SELECT grants -> 0 -> 'readableFields' AS fields FROM gantry_role`)).toEqual([
      { fields: ['pieces'] },
    ]);
    expect(await rows(`SELECT count(*)::int AS stale FROM gantry_change WHERE values ? 'parts'`)).toEqual([
      { stale: 0 },
    ]);
    await empty.client.query(`UPDATE shop_item SET label = 'hoe' WHERE id = 1`);
    expect(
      await rows(`SELECT values -> 'pieces' AS pieces FROM gantry_change WHERE item_table = 'shop_item' AND item_id = 1
        ORDER BY sequence DESC LIMIT 1`),
    ).toEqual([{ pieces: [2] }]);
  });

  it('shows the renames in the plan, which changes nothing', async () => {
    await fill();
    const plan = await planOnly({ databaseUrl: empty.database.url, plugins: [shop(after, before)] });
    expect(plan.steps.filter(({ kind }) => kind === 'rename').map(({ statement }) => statement)).toEqual([
      'ALTER TABLE "shop_item" RENAME TO "shop_product"',
      'ALTER TABLE "shop_item_parts" RENAME TO "shop_product_pieces"',
      'ALTER TABLE "shop_product" RENAME COLUMN "label" TO "title"',
      'ALTER INDEX "shop_item_label_key" RENAME TO "shop_product_title_key"',
      'ALTER INDEX "shop_item_parts_target_idx" RENAME TO "shop_product_pieces_target_idx"',
      'ALTER TABLE "shop_product_pieces" RENAME CONSTRAINT "shop_item_parts_item_fkey" TO "shop_product_pieces_item_fkey"',
      'ALTER TABLE "shop_product_pieces" RENAME CONSTRAINT "shop_item_parts_target_fkey" TO "shop_product_pieces_target_fkey"',
    ]);
    expect(plan).toMatchObject({ failures: [], differences: [], kept: [] });
    expect(plan.steps.filter(({ kind }) => !['rename', 'search', 'changes'].includes(kind))).toEqual([]);
    expect(await rows('SELECT count(*)::int AS items FROM shop_item')).toEqual([{ items: 2 }]);
  });
});

describe('a rename where both names exist', () => {
  it('takes the place of what is empty', async () => {
    await fill();
    // A version without renamedFrom has made empty tables beside the old ones.
    await empty.client.query('UPDATE shop_box SET best_id = NULL');
    await empty.client.query('ALTER TABLE shop_box DROP CONSTRAINT shop_box_best_id_fkey');
    await run(shop(after));
    expect(await rows('SELECT count(*)::int AS items FROM shop_product')).toEqual([{ items: 0 }]);
    const outcome = await run(shop(after, before));
    expect(outcome).toMatchObject({ failures: [], differences: [] });
    expect(await rows('SELECT title FROM shop_product ORDER BY id')).toEqual([{ title: 'spade' }, { title: 'fork' }]);
    expect((await run(shop(after, before))).applied).toEqual([]);
  });

  it('refuses when both have items, names them, and changes nothing', async () => {
    await fill();
    await empty.client.query('UPDATE shop_box SET best_id = NULL');
    await empty.client.query('ALTER TABLE shop_box DROP CONSTRAINT shop_box_best_id_fkey');
    await run(shop(after));
    await empty.client.query(`INSERT INTO shop_product (title) VALUES ('new')`);
    const outcome = await run(shop(after, before));
    expect(outcome.failures).toMatchObject([
      {
        plugin: 'shop',
        code: 'SCHEMA_RENAME_CONFLICT',
        reason: expect.stringContaining('"shop_product" and "shop_item" both have items'),
      },
    ]);
    expect(outcome.applied).toEqual([]);
    expect(await rows('SELECT count(*)::int AS items FROM shop_item')).toEqual([{ items: 2 }]);
  });

  it('refuses when two columns have values', async () => {
    await fill();
    await empty.client.query(`ALTER TABLE shop_item ADD COLUMN title varchar(255) DEFAULT 'x'`);
    const outcome = await run(shop({ ...before, field: 'title' }, before));
    expect(outcome.failures).toMatchObject([
      { code: 'SCHEMA_RENAME_CONFLICT', reason: expect.stringContaining('"title" and "label" both have values') },
    ]);
    expect(await rows('SELECT label FROM shop_item ORDER BY id')).toEqual([{ label: 'spade' }, { label: 'fork' }]);
  });

  it('replaces a column without values', async () => {
    await fill();
    await empty.client.query('ALTER TABLE shop_item ADD COLUMN title varchar(255)');
    const outcome = await run(shop({ ...before, field: 'title' }, before));
    expect(outcome).toMatchObject({ failures: [], differences: [], kept: [] });
    expect(await rows('SELECT title FROM shop_item ORDER BY id')).toEqual([{ title: 'spade' }, { title: 'fork' }]);
  });
});

describe('what names the type and its fields', () => {
  const grants = [
    { on: 'content', actions: ['read'] },
    { on: { plugin: 'shop' }, actions: ['read'] },
    { on: { plugin: 'shop', type: 'item' }, actions: ['read'], readableFields: ['label', 'title'] },
    {
      on: { plugin: 'shop', type: 'item' },
      actions: ['read'],
      where: [{ any: [{ field: 'label', operator: 'EQUALS', value: 'spade' }] }],
    },
    {
      on: { plugin: 'shop', type: 'item' },
      actions: ['delete'],
      where: [{ field: 'title', operator: 'EQUALS', value: 'x' }],
    },
    { on: { plugin: 'shop', type: 'product' }, actions: ['read', 'delete'] },
    { on: { plugin: 'other', type: 'item' }, actions: ['read'] },
  ];

  it('follows in roles, which never get wider', async () => {
    await fill();
    await empty.client.query(
      `INSERT INTO gantry_role (name, display_name, description, grants, permissions, updated_at)
       VALUES ('reader', 'Reader', '', $1, '{}', '2026-01-01')`,
      [JSON.stringify(grants)],
    );
    await empty.client.query(
      `INSERT INTO gantry_known_type (plugin, type, fields, removed_fields, returned)
       VALUES ('shop', 'item', '{label,parts}', '{title}', '{"label":"2026-02-01T00:00:00Z"}')`,
    );
    await run(shop(after, before));
    expect(await rows('SELECT grants, updated_at::date::text AS written FROM gantry_role')).toEqual([
      {
        written: '2026-01-01',
        grants: [
          { on: 'content', actions: ['read'] },
          { on: { plugin: 'shop' }, actions: ['read'] },
          { on: { plugin: 'shop', type: 'product' }, actions: ['read'], readableFields: ['title'] },
          {
            on: { plugin: 'shop', type: 'product' },
            actions: ['read'],
            where: [{ any: [{ field: 'title', operator: 'EQUALS', value: 'spade' }] }],
          },
          { on: { plugin: 'other', type: 'item' }, actions: ['read'] },
        ],
      },
    ]);
    expect(await rows('SELECT type, fields, removed_fields, returned FROM gantry_known_type')).toEqual([
      { type: 'product', fields: ['title', 'pieces'], removed_fields: [], returned: { title: '2026-02-01T00:00:00Z' } },
    ]);
    expect(await rows(`SELECT value FROM gantry_setting WHERE name = 'roles'`)).toEqual([{ value: 1 }]);
  });

  it('follows in webhooks and subscriptions', async () => {
    await fill();
    await empty.client.query(
      `INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence, read_tables, absent_tables)
         VALUES ('webhook', 'w', 1, 0, 0, '{shop_box,shop_item}', '{"shop_item":"1-2-3"}');
       INSERT INTO gantry_webhook (subscription_id, name, url, types, actions, filter, header_names, encrypted_headers, encrypted_secret)
         VALUES (1, 'w', 'https://example.org', '{item}', '{}', '[{"field":"label","operator":"EQUALS","value":"a"}]', '{}', '', '');
       INSERT INTO gantry_waiting_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, due_at)
         VALUES (1, 1, 2, 3, 'item/7', 1, now(), now())`,
    );
    expect((await run(shop(after, before))).failures).toEqual([]);
    expect(await rows('SELECT read_tables, absent_tables FROM gantry_subscription')).toEqual([
      { read_tables: ['shop_box', 'shop_product'], absent_tables: { shop_product: '1-2-3' } },
    ]);
    expect(await rows('SELECT types, filter FROM gantry_webhook')).toEqual([
      { types: ['product'], filter: [{ field: 'title', operator: 'EQUALS', value: 'a' }] },
    ]);
    expect(await rows('SELECT item FROM gantry_waiting_change')).toEqual([{ item: 'product/7' }]);
  });
});

describe('a rename that is interrupted', () => {
  it('is done as a whole by the next start, whatever statement it had come to', async () => {
    await fill();
    const { steps } = await planOnly({ databaseUrl: empty.database.url, plugins: [shop(after, before)] });
    const renames = steps.filter(({ kind }) => kind === 'rename');
    // The last statement of a rename writes to this table, which a trigger makes fail: nothing is kept.
    await empty.client.query(
      `INSERT INTO gantry_role (name, display_name, description, grants, permissions)
         VALUES ('r', 'r', '', '[{"on":{"plugin":"shop","type":"item"},"actions":["read"]}]', '{}');
       CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
       CREATE TRIGGER killed BEFORE UPDATE ON gantry_role FOR EACH ROW EXECUTE FUNCTION end_session()`,
    );
    await expect(run(shop(after, before))).rejects.toThrow();
    expect(await rows('SELECT count(*)::int AS items FROM shop_item')).toEqual([{ items: 2 }]);
    await empty.client.query('DROP TRIGGER killed ON gantry_role');
    const outcome = await run(shop(after, before));
    expect(outcome.applied.slice(0, renames.length)).toEqual(renames);
    expect(await rows('SELECT title FROM shop_product ORDER BY id')).toEqual([{ title: 'spade' }, { title: 'fork' }]);
  });
});
