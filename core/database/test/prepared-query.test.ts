import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import {
  maxPreparedStatements,
  PreparedQuery,
  type PreparedStatement,
  type TextRow,
} from '../src/transactions/prepared-query';

let testDatabase: TestDatabase;
let client: Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

beforeEach(async () => {
  client = new Client({ connectionString: testDatabase.url });
  await client.connect();
});

afterEach(() => client.end());

afterAll(() => testDatabase.drop());

function run(name: string, sql: string, values: PreparedStatement['values'] = []): Promise<readonly TextRow[]> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, [rows = []]: readonly (readonly TextRow[])[] = []): void => {
      if (error === undefined) resolve(rows);
      else reject(error);
    };
    client.query(new PreparedQuery([{ name, sql, values }], done));
  });
}

type Outcome = readonly [code: string | undefined, results: readonly (readonly TextRow[])[]];

function runTogether(...statements: readonly (readonly [name: string, sql: string])[]): Promise<Outcome> {
  const prepared = statements.map(([name, sql]) => ({ name, sql, values: [] }));
  return new Promise((resolve) => {
    client.query(
      new PreparedQuery(prepared, (error, results = []) => {
        resolve([(error as { readonly code?: string } | undefined)?.code, results]);
      }),
    );
  });
}

async function prepared(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM pg_prepared_statements ORDER BY prepare_time',
  );
  return rows.map(({ name }) => name);
}

describe('a prepared query', () => {
  it('gives the columns of its rows as text', async () => {
    const sql = `SELECT n, $1::text, $2::boolean, $3::numeric, NULL FROM generate_series(1, 2) n`;
    expect(await run('types', sql, ['ä"\u{1F600}', true, 1.5])).toEqual([
      ['1', 'ä"\u{1F600}', 't', '1.5', null],
      ['2', 'ä"\u{1F600}', 't', '1.5', null],
    ]);
    expect(await run('none', 'SELECT 1 WHERE $1::text IS NOT NULL', [null])).toEqual([]);
  });

  it('is prepared once on a connection', async () => {
    for (let time = 0; time < 3; time += 1) await run('once', 'SELECT 1');
    const { rows } = await client.query('SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements');
    expect(rows).toEqual([{ runs: '3' }]);
  });

  it('fails alone: the connection and the statement continue', async () => {
    const sql = 'SELECT 1 / $1::int';
    expect(await run('division', sql, [1])).toEqual([['1']]);
    await expect(run('division', sql, [0])).rejects.toMatchObject({ code: '22012' });
    await expect(run('division', sql, ['no number'])).rejects.toMatchObject({ code: '22P02' });
    await expect(run('wrong', 'SELECT nothing')).rejects.toMatchObject({ code: '42703' });
    expect(await run('division', sql, [1])).toEqual([['1']]);
    expect(await run('wrong', 'SELECT 1')).toEqual([['1']]);
  });

  it('may be several, of which each sees what those before it did, and none runs after one that fails', async () => {
    await client.query('CREATE TABLE counted (n integer)');
    const insert = ['insert', 'INSERT INTO counted VALUES (1)'] as const;
    const count = ['', 'SELECT count(*) FROM counted'] as const;
    const divide = ['divide', 'SELECT 1 / count(*) FILTER (WHERE n > 1) FROM counted'] as const;

    expect(await runTogether(insert, count, insert, count)).toEqual([undefined, [[], [['1']], [], [['2']]]]);
    expect(await runTogether(insert, count, divide, insert, ['later', 'SELECT 1'])).toEqual(['22012', [[], [['3']]]]);
    // They are one transaction.
    expect(await runTogether(count, ['later', 'SELECT 2'], insert)).toEqual([undefined, [[['2']], [['2']], []]]);
    expect(await runTogether(['', 'BEGIN'], insert, ['', 'COMMIT'], count)).toEqual([undefined, [[], [], [], [['4']]]]);
  });

  it('leaves only the statements that were used last prepared', async () => {
    for (let number = 0; number < maxPreparedStatements; number += 1) await run(`s${number}`, `SELECT ${number}`);
    await run('s0', 'SELECT 0');
    await run('next', 'SELECT 1');

    const names = await prepared();
    expect(names).toHaveLength(maxPreparedStatements);
    expect(names).toEqual(expect.arrayContaining(['s0', 'next', 's2']));
    expect(names).not.toContain('s1');
    expect(await run('s1', 'SELECT 1')).toEqual([['1']]);
  });
});
