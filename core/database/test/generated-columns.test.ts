import { bringUpToDate, type SchemaOutcome } from '../src/schema/bring-up-to-date';
import { useEmptyDatabase } from '../../../test/support/empty-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { column, index, tableSpec } from '../../../test/support/table-specs';

const empty = useEmptyDatabase();

/** A table whose column `gross` is computed from `price` by the expression; by none where people write it. */
function run(expression: string | undefined, type = 'NUMERIC(19,4)'): Promise<SchemaOutcome> {
  const from = [{ name: 'price', type: 'NUMERIC(19,4)' }];
  const gross = column('gross', type, expression === undefined ? {} : { generated: { expression, from } });
  const table = tableSpec('shop', 'shop_item', {
    columns: [column('price', 'NUMERIC(19,4)'), column('secret', 'INTEGER'), gross],
    indexes: [index('shop_item_gross', ['gross', 'id'])],
  });
  const plugins = [{ id: 'shop', migrations: [], tables: [table] }];
  return bringUpToDate({ databaseUrl: empty.database.url, plugins, logger: createRecordedLogger() });
}

async function values(): Promise<readonly unknown[]> {
  const { rows } = await empty.client.query('SELECT gross::text AS gross FROM shop_item ORDER BY id');
  return rows.map(({ gross }) => gross as unknown);
}

describe('a column that PostgreSQL computes', () => {
  it('is made, left alone while its expression is the same, and made again with its index when that changes', async () => {
    await run('"price" * 2');
    await empty.client.query('INSERT INTO shop_item (price) VALUES (1.5), (2)');
    expect(await values()).toEqual(['3.0000', '4.0000']);
    expect((await run('(("price")  *  2) -- twice')).applied).toEqual([]);
    const { applied, differences, failures } = await run('"price" * 3');
    expect([applied.map(({ kind }) => kind), differences, failures]).toEqual([['column', 'index'], [], []]);
    expect(await values()).toEqual(['4.5000', '6.0000']);
    expect((await run('"price" * 3', 'NUMERIC(19,2)')).applied.map(({ kind }) => kind)).toEqual(['column', 'index']);
    expect(await values()).toEqual(['4.50', '6.00']);
    expect((await run('"price" * 3', 'NUMERIC(19,2)')).applied).toEqual([]);
  });

  it.each([
    ['"price" *', 'syntax error'],
    ['"secret" * 2', 'column "secret" does not exist'],
    ['"price" * random()', 'generation expression is not immutable'],
    [`"price" || 'x'`, 'expression is of type text'],
    ['(SELECT 1)', 'cannot use subquery'],
    ['"gross" + 1', 'cannot use generated column'],
  ])('is refused with what is wrong: %s', async (expression, reason) => {
    const { failures } = await run(expression);
    expect(failures).toMatchObject([
      { plugin: 'shop', code: 'SCHEMA_TYPE_INVALID', reason: expect.stringContaining(reason) },
    ]);
  });

  it('never replaces values that were written', async () => {
    await run(undefined);
    await empty.client.query('INSERT INTO shop_item (price, gross) VALUES (1, 7)');
    const { failures } = await run('"price" * 2');
    expect(failures).toMatchObject([
      { code: 'SCHEMA_COLUMN_RETYPED', remedy: expect.stringContaining('DROP COLUMN "gross"') },
    ]);
    expect(await values()).toEqual(['7.0000']);
  });
});
