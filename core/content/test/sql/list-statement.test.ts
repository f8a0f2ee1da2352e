import { BaseItem, type ItemTypeClass } from '@gantry/plugin-api';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { parseCriteria } from '../../src/query/criteria';
import { parseJson } from '@gantry/core-common';
import { parseListQuery, type ListOptions } from '../../src/query/list-query';
import { readTable, type TableStatistics } from '../../src/sql/column-statistics';
import { chooseListPath } from '../../src/sql/list-path';
import type { ListStatement } from '../../src/sql/list-statement';
import { createStatements } from '../../src/sql/statements';
import { compileFields } from '../../../../test/support/content/declare-type';

const type = compileFields({
  name: { searchable: true },
  title: { searchable: true },
  notes: { type: 'TEXT', searchable: true },
  size: { type: 'NUMBER', column: 'INTEGER', searchable: true },
  done: { type: 'BOOLEAN', searchable: true },
});
const statements = createStatements({ descriptor: type, model: BaseItem as ItemTypeClass }, type.code, () => type);

const rowCount = 40_000;
let database: TestDatabase;
let client: Client;
let statistics: TableStatistics | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // The settings of the connections that keep plans.
  await client.query(
    `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
     SET seq_page_cost = 1000; CREATE EXTENSION IF NOT EXISTS pg_trgm;
     CREATE TABLE "${type.table}" (id bigint PRIMARY KEY, name text, title text, notes text, size integer, done boolean,
       created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), version integer DEFAULT 1, created_by bigint, updated_by bigint);
     INSERT INTO "${type.table}" SELECT n, 'n' || nullif(n % 7, 6), 'Title ' || md5(n::text) || CASE WHEN n % 4000 = 0 THEN ' rare' ELSE '' END
       || CASE WHEN n % 3 = 0 THEN ' often' ELSE '' END, 'x', (n::bigint * 7919) % ${rowCount}, n % 3 = 0
       FROM generate_series(1, ${rowCount}) n;
     CREATE INDEX ON "${type.table}" (size, id);
     CREATE INDEX ON "${type.table}" (name, id);
     CREATE INDEX ON "${type.table}" USING gin (title gin_trgm_ops);
     CREATE INDEX ON "${type.table}" USING gin (name gin_trgm_ops);
     CREATE INDEX ON "${type.table}" (done, id);`,
  );
  await client.query(`VACUUM ANALYZE "${type.table}"`);
  statistics = await readTable(type, async ({ sql, values }) => {
    const { rows } = await client.query<unknown[]>({ text: sql, values: [...values], rowMode: 'array' });
    return rows;
  });
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

function criteriaOf(criteria: unknown) {
  return parseCriteria(type, parseJson(JSON.stringify(criteria))).criteria;
}

/** By the path that the statistics lead to. */
function byPath(query: ListOptions, criteria: unknown): ListStatement {
  const parsed = { query: parseListQuery(type, query), criteria: criteriaOf(criteria) };
  return statements.list({ ...parsed, path: chooseListPath(parsed.query, parsed.criteria, statistics) });
}

/** Without a path: planned for its values where it has criteria. */
function wholeOf(query: ListOptions, criteria: unknown = []): ListStatement {
  const parsed = { query: parseListQuery(type, query), criteria: criteriaOf(criteria) };
  return statements.list({ ...parsed, path: undefined });
}

function pathOf(query: ListOptions, criteria: unknown): string | undefined {
  return chooseListPath(parseListQuery(type, query), criteriaOf(criteria), statistics)?.kind;
}

async function pageOf(statement: ListStatement): Promise<readonly unknown[]> {
  const result = await client.query<unknown[]>({
    text: statement.toSql(),
    values: [...statement.values],
    rowMode: 'array',
  });
  const [json, ...rest] = result.rows[0] ?? [];
  return [(JSON.parse(String(json)) as readonly { readonly id: number }[]).map(({ id }) => id), ...rest];
}

function cursor(...parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const above = (value: number): unknown => [{ field: 'size', operator: 'MORE_THAN', value: String(value) }];
const named = (name: string): unknown => ({ field: 'name', operator: 'EQUALS', value: name });
const titled = (text: string): unknown => ({ field: 'title', operator: 'CONTAINS', value: text });
const done = { field: 'done', operator: 'EQUALS', value: 'true' };

describe('a list by a path', () => {
  it.each([
    ['newest first', { limit: 25 }, above(1000)],
    ['oldest first', { limit: 25, sort: 'id' }, above(60)],
    ['few of all', { limit: 25 }, above(39_950)],
    ['few of all, oldest first', { limit: 25, sort: 'id' }, above(39_950)],
    ['few of all, behind a position', { limit: 10, after: cursor('-id', '30000', '30000') }, above(39_900)],
    ['behind a position', { limit: 100, after: cursor('-id', '4000', '4000') }, above(3000)],
    ['of one value', { limit: 25, after: cursor('-id', '30000', '30000') }, [named('n3')]],
    ['with several criteria', { limit: 5 }, [...(above(10) as []), named('n3'), done]],
    ['with several criteria, few of all', { limit: 5 }, [...(above(39_800) as []), named('n3'), done]],
    ['more than there are', { limit: 1000 }, above(39_950)],
    ['none', { limit: 5 }, above(39_999)],
    ['that contain a rare text', { limit: 5 }, [titled('RARE')]],
    ['that contain a rare text, oldest first', { limit: 5, sort: 'id' }, [titled('rare')]],
    [
      'that contain a rare text, behind a position',
      { limit: 5, after: cursor('-id', '30000', '30000') },
      [titled('rare')],
    ],
    ['that contain a frequent text', { limit: 25 }, [titled('OFTEN')]],
    ['that contain two texts', { limit: 5 }, [titled('often'), titled('rare')]],
    ['that contain a text, with another criterion', { limit: 5 }, [titled('rare'), ...(above(10) as []), done]],
    ['that contain what a pattern has for special', { limit: 5 }, [titled('100%_\\')]],
  ])('gives the same page: %s', async (_case, query, criteria) => {
    const statement = byPath(query, criteria);
    expect(statement.planForValues).toBe(false);
    expect(await pageOf(statement)).toEqual(await pageOf(wholeOf(query, criteria)));
  });

  it.each([
    ['order', above(20_000)],
    ['range', above(39_990)],
    ['equality', [named('n3')]],
    ['equality', [{ field: 'id', operator: 'EQUALS', value: '7' }]],
    ['equality', [done]],
    ['order', [...(above(20_000) as []), { field: 'size', operator: 'LESS_THAN', value: '39000' }]],
    ['order', [titled('often')]],
    ['range', [titled('rare')]],
    ['range', [titled('often'), titled('rare')]],
    ['range', [{ field: 'name', operator: 'CONTAINS', value: 'n33' }]],
    [undefined, [titled('ra')]],
    [undefined, [titled('наш')]],
    [undefined, [{ field: 'notes', operator: 'CONTAINS', value: 'rare' }]],
    [undefined, [{ field: 'name', operator: 'MORE_THAN', value: 'n' }]],
    [undefined, [{ field: 'notes', operator: 'EQUALS', value: 'x' }]],
  ])('takes the path %s where the statistics say so', (path, criteria) => {
    expect(pathOf({ limit: 25 }, criteria)).toBe(path);
  });

  it('is left to PostgreSQL where it is sorted by a field, or nothing is known of the table', () => {
    expect(pathOf({ sort: 'size' }, above(1))).toBeUndefined();
    expect(chooseListPath(parseListQuery(type, {}), criteriaOf(above(1)), undefined)).toBeUndefined();
  });
});

interface Plan {
  readonly Plans?: readonly Plan[];
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
}

/** Rows that the scans of a plan read. */
function rowsRead(plan: Plan): number {
  const passed = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = plan['Relation Name'] === undefined ? 0 : plan['Actual Loops'] * passed;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own);
}

async function explain(statement: ListStatement, settings: readonly string[]): Promise<number> {
  await client.query(['BEGIN', ...settings.map((setting) => `SET LOCAL ${setting}`)].join('; '));
  const result = await client.query<unknown[]>({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.toSql()}`,
    values: [...statement.values],
    rowMode: 'array',
  });
  await client.query('ROLLBACK');
  const [explained] = (result.rows[0]?.[0] ?? []) as readonly { readonly Plan: Plan }[];
  return explained === undefined ? Infinity : rowsRead(explained.Plan);
}

/** The fewest rows of all plans that PostgreSQL makes for the values when kinds of scans are switched off. */
async function fewestRows(statement: ListStatement): Promise<number> {
  const planned = ['plan_cache_mode = force_custom_plan', 'enable_seqscan = off'];
  const scans = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan', 'enable_sort'];
  let fewest = Infinity;
  for (let chosen = 0; chosen < 2 ** scans.length; chosen += 1) {
    const settings = scans.map(
      (scan, index) => `${scan} = ${Math.floor(chosen / 2 ** index) % 2 === 1 ? 'off' : 'on'}`,
    );
    fewest = Math.min(fewest, await explain(statement, [...planned, ...settings]));
  }
  return fewest;
}

describe('the pages of a list that is sorted by a field', () => {
  it.each(['name', '-name'])('have each item once, nulls after all values going up: %s', async (sort) => {
    const ids: unknown[] = [];
    let after: string | undefined;
    do {
      const [page, hasMore, id, value] = await pageOf(wholeOf({ limit: 1000, sort, ...(after && { after }) }));
      ids.push(...(page as readonly unknown[]));
      after = hasMore === true ? cursor(sort, value, id) : undefined;
    } while (after !== undefined && ids.length <= rowCount);
    const direction = sort === 'name' ? 'ASC' : 'DESC';
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM "${type.table}" ORDER BY name ${direction}, id ${direction}`,
    );

    expect(ids).toEqual(rows.map(({ id }) => Number(id)));
  });
});

describe('the rows that a path reads', () => {
  it.each([50, 10, 1, 0.1, 0.01])(
    'are at most twice those of the best plan, where %d %% of all meet the bound',
    async (percent) => {
      const criteria = above(rowCount * (1 - percent / 100) - 1);
      const best = await fewestRows(wholeOf({ limit: 25 }, criteria));
      expect(await explain(byPath({ limit: 25 }, criteria), [])).toBeLessThanOrEqual(2 * best + 26);
    },
  );

  it.each(['rare', 'often', 'rare often', 'nowhere'])(
    'are at most twice those of the best plan, for the text "%s"',
    async (text) => {
      const best = await fewestRows(wholeOf({ limit: 25 }, [titled(text)]));
      expect(await explain(byPath({ limit: 25 }, [titled(text)]), [])).toBeLessThanOrEqual(2 * best + 26);
    },
  );

  it('are those of one page, whatever the value', async () => {
    expect(await explain(byPath({ limit: 25 }, [named('n3')]), [])).toBeLessThanOrEqual(26);
  });
});

describe('a list for which one plan does', () => {
  it.each([
    ['the first page', () => wholeOf({})],
    ['a page of a thousand', () => wholeOf({ limit: 1000 })],
    ['a page behind a position', () => wholeOf({ after: cursor('-id', '400', '400') })],
    ['a page in the order of an index', () => wholeOf({ sort: '-size', after: cursor('-size', '400', '400') })],
  ])('reads no more rows than it presents: %s', async (_name, statementOf) => {
    const statement = statementOf();
    expect(statement.planForValues).toBe(false);
    expect(await explain(statement, [])).toBeLessThanOrEqual(1001);
  });

  it('is neither one with criteria nor one in an order that no index has', () => {
    expect(wholeOf({}, above(1)).planForValues).toBe(true);
    expect(wholeOf({ sort: 'notes' }).planForValues).toBe(true);
  });

  it('has another shape for every text', () => {
    const made = [
      wholeOf({}),
      wholeOf({ limit: 1000 }),
      wholeOf({ sort: 'id' }),
      wholeOf({ sort: 'size' }),
      wholeOf({ sort: 'size', after: cursor('size', '1', '1') }),
      wholeOf({ sort: 'size', after: cursor('size', null, '1') }),
      wholeOf({ sort: 'name', after: cursor('name', 'n', '1') }),
      wholeOf({ sort: 'name', after: cursor('name', 'n', '1', 'cut') }),
      wholeOf({}, above(1)),
      wholeOf({}, [{ field: 'size', operator: 'EQUALS', value: '1' }]),
      byPath({}, above(1)),
      byPath({}, above(39_990)),
    ];
    expect(new Set(made.map(({ shape }) => shape)).size).toBe(made.length);
    expect(new Set(made.map((statement) => statement.toSql())).size).toBe(made.length);
    expect(byPath({ limit: 7 }, above(2)).shape).toBe(byPath({ limit: 8 }, above(1)).shape);
  });
});
