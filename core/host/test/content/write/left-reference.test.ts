import { add, destroy, fill, Invoice, Shelf, useShelves } from '../support/shelves';

const bench = useShelves();

describe('a reference that no declaration has any more', () => {
  afterEach(async () => {
    await bench.content.rows('DROP TABLE IF EXISTS workshop_loan_shelves, stopped_lamp');
    await bench.content.rows('ALTER TABLE workshop_invoice DROP COLUMN IF EXISTS shelf_id');
  });

  it('of a table of links is named in the log, with the statement that removes it', async () => {
    const found = await fill(bench);
    const other = await add(bench, Shelf, 'T');
    await bench.content.rows(
      `CREATE TABLE workshop_loan_shelves (item_id bigint REFERENCES workshop_loan ON DELETE CASCADE, target_id bigint REFERENCES workshop_shelf)`,
    );
    await bench.content.rows(`INSERT INTO workshop_loan_shelves VALUES (${found.loans[0]}, ${other})`);
    const { status, error } = await destroy(bench, `shelf/${other}?confirm=all`);
    expect([status, error?.code, error?.message]).toEqual([
      409,
      'ITEM_REFERENCED',
      expect.stringContaining('of a field or type that is not in use'),
    ]);
    expect(bench.content.logged.at(-1)?.fields).toEqual({
      ...{ plugin: 'workshop', table: 'workshop_loan_shelves', field: 'workshop_loan_shelves' },
      ...{ item: `shelf/${other}`, statement: 'DROP TABLE "workshop_loan_shelves";' },
    });
    await bench.content.rows('DROP TABLE "workshop_loan_shelves"');
    expect((await destroy(bench, `shelf/${other}`)).status).toBe(204);
  });

  it('of a plugin that is not running is named without a statement', async () => {
    const shelf = await add(bench, Shelf, 'T');
    await bench.content.rows('CREATE TABLE stopped_lamp (id bigint, shelf_id bigint REFERENCES workshop_shelf)');
    await bench.content.rows(`INSERT INTO stopped_lamp VALUES (1, ${shelf})`);
    await bench.content.rows(
      `CREATE TABLE IF NOT EXISTS gantry_plugin_schema (plugin text PRIMARY KEY, version text, tables text[])`,
    );
    await bench.content.rows(
      `INSERT INTO gantry_plugin_schema (plugin, version, tables) VALUES ('stopped', '1.0.0', '{stopped_lamp}')`,
    );
    const { status, error } = await destroy(bench, `shelf/${shelf}`);
    expect([status, error?.code]).toEqual([409, 'ITEM_REFERENCED']);
    expect(bench.content.logged.at(-1)?.fields).toEqual({
      ...{ plugin: 'stopped', table: 'stopped_lamp', field: 'shelf_id', item: `shelf/${shelf}` },
    });
  });

  it('of a column is named in the log, too', async () => {
    const shelf = await add(bench, Shelf, 'T');
    await bench.content.rows('ALTER TABLE workshop_invoice ADD shelf_id bigint REFERENCES workshop_shelf');
    await add(bench, Invoice, 'i');
    await bench.content.rows(`UPDATE workshop_invoice SET shelf_id = ${shelf}`);
    expect((await destroy(bench, `shelf/${shelf}`)).status).toBe(409);
    expect(bench.content.logged.at(-1)?.fields).toMatchObject({
      ...{ plugin: 'workshop', table: 'workshop_invoice', field: 'shelf_id' },
      statement: 'ALTER TABLE "workshop_invoice" DROP COLUMN "shelf_id";',
    });
  });
});
