import { Client } from 'pg';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeChanges(commands: Commands): void {
  describe('gantry and the changes of items', () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench(['plugins/catalog', 'plugins/articles'], commands);
    });
    afterAll(() => bench.close());

    async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
      const client = new Client({ connectionString: bench.database.url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    }

    async function lastEvent(): Promise<unknown> {
      const [event] = (await bench.json(['auth', 'log', '--limit', '1'])) as readonly unknown[];
      return event;
    }

    describe('gantry changes retention', () => {
      it('shows that everything is kept, and stores the retention of all types and a shorter one of a type', async () => {
        expect(await bench.json(['changes', 'retention'])).toEqual({ months: null, types: [] });
        await bench.json(['changes', 'retention', '--months', '24']);

        const stored = await bench.json(['changes', 'retention', '--type', 'product', '--months', '6']);

        expect(stored).toEqual({ months: 24, types: [{ type: 'product', months: 6 }] });
        expect(await lastEvent()).toMatchObject({
          actor: 'command',
          action: 'change-retention-set',
          subject: 'type:product',
          detail: { months: 6 },
        });
        const { stdout } = await bench.gantry(['changes', 'retention']);
        expect(stdout).toMatch(/^Changes of all types are kept for 24 months: none from before \d{4}-\d\d-\d\d\.\n/);
        expect(stdout).toMatch(/product +6 +\d{4}-\d\d-\d\d/);
        const [row] = await query(`SELECT value FROM gantry_setting WHERE name = 'change-retention'`);
        expect(row).toEqual({ value: { months: 24, types: { product: { table: 'catalog_product', months: 6 } } } });
      });

      it('is removed with none', async () => {
        await bench.json(['changes', 'retention', '--type', 'product', '--months', 'none']);
        expect(await bench.json(['changes', 'retention', '--months', 'none'])).toEqual({ months: null, types: [] });
      });

      it.each([
        [['changes', 'retention', '--months', '0'], /--months .* 1 to 9999, or none; got "0"/],
        [['changes', 'retention', '--type', 'product'], /--type product .*--months/],
        [['changes', 'retention', '--type', 'prodct', '--months', '3'], / product\?/],
        [['changes', 'erase', 'catalog', '1'], / --yes /],
        [['changes', 'erase', 'catalog', 'x', '--yes'], / id .*; got "x"/],
        [['changes', 'erase', 'catalog', '1', '--field', 'nme', '--yes'], /catalog .* nme\./],
      ])('refuses %j', async (words, named) => {
        const { code, stderr } = await bench.gantry(words);

        expect(code).not.toBe(0);
        expect(stderr).toMatch(named);
      });
    });

    describe('gantry changes erase', () => {
      const changes = (table: string) =>
        query(
          `SELECT version, action, values, previous, labels FROM gantry_change WHERE item_table = '${table}' ORDER BY sequence`,
        );

      it('empties the changes of an item, or one field of them, and its label in those of other items; they stay', async () => {
        await bench.gantry(['changes', 'retention']);
        await query(`INSERT INTO catalog_catalog (code, name) VALUES ('ann', 'Ann Smith'), ('other', 'Other')`);
        await query(`UPDATE catalog_catalog SET name = 'Ann Jones' WHERE code = 'ann'`);
        await query(`INSERT INTO catalog_product (code, name, price, catalog_id, catalog_version, approval_status)
      SELECT 'P' || id, 'Spade', 1, id, 'STAGED', 'CHECK' FROM catalog_catalog ORDER BY id`);
        await query(`DELETE FROM catalog_product WHERE code = 'P1'`);

        const fieldOnly = await bench.json(['changes', 'erase', 'product', '1', '--field', 'price', '--yes']);
        expect(fieldOnly).toEqual({ rows: 2, references: 0 });
        const products = await changes('catalog_product');
        expect(products.map(({ values }) => (values as { readonly price?: unknown }).price)).toEqual([
          undefined,
          1,
          undefined,
        ]);
        expect(products[0]).toMatchObject({ values: { name: 'Spade' }, labels: { catalog: { 1: 'Ann Jones' } } });

        const erased = await bench.gantry(['changes', 'erase', 'catalog', '1', '--yes', '--json']);
        expect([erased.code, JSON.parse(erased.stdout)]).toEqual([0, { data: { rows: 2, references: 2 } }]);
        const all = JSON.stringify(await query('SELECT * FROM gantry_change'));
        expect(all).not.toContain('Ann');
        expect(await changes('catalog_catalog')).toEqual([
          { version: 1, action: 'created', values: {}, previous: null, labels: null },
          expect.objectContaining({ values: expect.objectContaining({ name: 'Other' }) }),
          { version: 2, action: 'updated', values: {}, previous: {}, labels: null },
        ]);
        expect((await changes('catalog_product')).map(({ labels }) => labels)).toEqual([
          null,
          { catalog: { 2: 'Other' } },
          null,
        ]);
        expect(await lastEvent()).toMatchObject({
          actor: 'command',
          action: 'changes-erased',
          subject: 'catalog:1',
          detail: { rows: 2, references: 2 },
        });
        expect(await query(`SELECT name FROM catalog_catalog WHERE id = 1`)).toEqual([{ name: 'Ann Jones' }]);
      });
    });
  });
}
