import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createOpenAccess } from '../../src/items/access';
import { parseCriteria } from '../../src/items/criteria';
import { createItemTypes } from '../../src/items/item-types';
import { parseJson } from '../../src/items/json';
import { parseListQuery } from '../../src/items/list-query';
import { createStatements } from '../../src/items/sql/statements';
import type { ListStatement } from '../../src/items/sql/list-statement';
import { compileFields } from './support/declare-type';

const type = compileFields({
  name: { searchable: true },
  notes: { type: 'TEXT', searchable: true },
  size: { type: 'NUMBER', column: 'INTEGER', searchable: true },
});
const open = createOpenAccess(createItemTypes([]));
const access = { ...open, searchableFields: () => type.fields.filter((field) => field.searchable) };
const statements = createStatements(type, type.fields, () => type);

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `CREATE TABLE "${type.table}" (id bigint PRIMARY KEY, name text, notes text, size integer,
       created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), version integer DEFAULT 1);
     INSERT INTO "${type.table}" SELECT n, 'n' || n % 7, 'x', n FROM generate_series(1, 5000) n;
     CREATE INDEX ON "${type.table}" (size, id);
     CREATE INDEX ON "${type.table}" (name, id);
     ANALYZE "${type.table}"`,
  );
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

function criteriaOf(criteria: unknown) {
  return parseCriteria(type, parseJson(JSON.stringify(criteria)), access).criteria;
}

function nearbyOf(query: Readonly<Record<string, string>>, criteria: unknown): ListStatement | undefined {
  return statements.listNearby(parseListQuery(type, query, access), criteriaOf(criteria));
}

function wholeOf(query: Readonly<Record<string, string>>, criteria: unknown = []): ListStatement {
  return statements.list(parseListQuery(type, query, access), criteriaOf(criteria));
}

async function rowsOf(statement: ListStatement | undefined, name?: string): Promise<readonly unknown[][]> {
  if (statement === undefined) return [];
  const prepared = name === undefined ? {} : { name };
  const values = [...statement.values];
  const result = await client.query<unknown[]>({ text: statement.toSql(), values, rowMode: 'array', ...prepared });
  return result.rows;
}

function cursor(...parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** How often a statement that ran ten times was planned anew. */
async function customPlans(name: string, statement: ListStatement): Promise<number> {
  for (let run = 0; run < 10; run += 1) await rowsOf(statement, name);
  const { rows } = await client.query<{ count: number }>(
    'SELECT custom_plans::int AS count FROM pg_prepared_statements WHERE name = $1',
    [name],
  );
  return rows[0]?.count ?? 0;
}

const above = (value: number): unknown => [{ field: 'size', operator: 'MORE_THAN', value: String(value) }];

describe('a list that looks nearby', () => {
  it.each([
    ['newest first', { limit: '25' }, above(1000)],
    ['oldest first', { limit: '25', sort: 'id' }, above(60)],
    ['behind a position', { limit: '100', after: cursor('-id', '4000', '4000') }, above(3000)],
    [
      'with several criteria',
      { limit: '5' },
      [...(above(10) as []), { field: 'name', operator: 'EQUALS', value: 'n3' }],
    ],
  ])('finds the same page, %s', async (_case, query, criteria) => {
    const nearby = await rowsOf(nearbyOf(query, criteria));
    expect(nearby).toHaveLength(Number(query.limit) + 1);
    expect(nearby).toEqual(await rowsOf(wholeOf(query, criteria)));
  });

  it('finds no whole page where the matches are far', async () => {
    const criteria = [{ field: 'size', operator: 'LESS_THAN', value: '4510' }];
    expect(await rowsOf(nearbyOf({ limit: '25' }, criteria))).toHaveLength(9);
    expect(await rowsOf(wholeOf({ limit: '25' }, criteria))).toHaveLength(26);
  });

  it.each([
    ['without criteria', {}, []],
    ['sorted by a field', { sort: 'size' }, above(1)],
    ['of many rows', { limit: '101' }, above(1)],
    ['that CONTAINS', {}, [{ field: 'name', operator: 'CONTAINS', value: 'n' }]],
    ['of long texts', {}, [{ field: 'notes', operator: 'EQUALS', value: 'x' }]],
    ['of ids', {}, [{ field: 'id', operator: 'EQUALS', value: '7' }]],
  ])('is not offered for a list %s', (_case, query, criteria) => {
    expect(nearbyOf(query, criteria)).toBeUndefined();
  });
});

describe('a list for which one plan does', () => {
  it.each([
    ['the first page', wholeOf({})],
    ['a page of a thousand', wholeOf({ limit: '1000' })],
    ['a page behind a position', wholeOf({ after: cursor('-id', '400', '400') })],
    ['a page in the order of an index', wholeOf({ sort: '-size', after: cursor('-size', '400', '400') })],
    ['a page nearby', nearbyOf({ limit: '25' }, above(1000)) ?? wholeOf({})],
  ])('is planned once: %s', async (name, statement) => {
    expect(statement.planForValues).toBe(false);
    // PostgreSQL tries five times before it compares.
    expect(await customPlans(name, statement)).toBe(5);
  });

  it('is neither one with criteria nor one in an order that no index has', () => {
    expect(wholeOf({}, above(1)).planForValues).toBe(true);
    expect(wholeOf({ sort: 'notes' }).planForValues).toBe(true);
  });

  it('has a shape of its own for every text', () => {
    const made = [
      wholeOf({}),
      wholeOf({ limit: '1000' }),
      wholeOf({ sort: 'id' }),
      wholeOf({ sort: 'size' }),
      wholeOf({ sort: 'size', after: cursor('size', '1', '1') }),
      wholeOf({ sort: 'size', after: cursor('size', null, '1') }),
      wholeOf({ sort: 'name', after: cursor('name', 'n', '1') }),
      wholeOf({ sort: 'name', after: cursor('name', 'n', '1', 'cut') }),
      wholeOf({}, above(1)),
      wholeOf({}, [{ field: 'size', operator: 'EQUALS', value: '1' }]),
      nearbyOf({}, above(1)) ?? wholeOf({}),
    ];
    expect(new Set(made.map(({ shape }) => shape)).size).toBe(made.length);
    expect(new Set(made.map((statement) => statement.toSql())).size).toBe(made.length);
    expect(wholeOf({ limit: '7' }, above(2)).shape).toBe(wholeOf({ limit: '8' }, above(1)).shape);
  });
});
