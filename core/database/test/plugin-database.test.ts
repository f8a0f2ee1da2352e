import type { Database } from '@gantry/plugin-api';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createDatabase, type HostDatabase } from '../src/create-database';
import { eventually } from '../../../test/support/eventually';
import { createRecordedLogger } from '../../../test/support/recorded-logger';

let testDatabase: TestDatabase;
let host: HostDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  host = createDatabase({ url: testDatabase.url, logger: createRecordedLogger(), sizes: { plugins: 1 } });
  database = host.plugins;
});

afterAll(async () => {
  await host.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.query('DROP TABLE IF EXISTS note; CREATE TABLE note (text text UNIQUE)');
});

const add = (on: Database, text: string): Promise<unknown> => on.query('INSERT INTO note VALUES ($1)', [text]);

async function notes(): Promise<readonly string[]> {
  return (await database.query<{ text: string }>('SELECT text FROM note ORDER BY text')).map((row) => row.text);
}

describe('createPluginDatabase', () => {
  it('gives rows as objects, and those of the last statement where there are several', async () => {
    expect(await database.query('SELECT $1::int AS number', [7])).toEqual([{ number: 7 }]);
    expect(await database.query('SELECT 1 AS one; SELECT 2 AS two')).toEqual([{ two: 2 }]);
    expect(await database.query('DELETE FROM note')).toEqual([]);
  });

  it('passes on the error of PostgreSQL with its code, and continues', async () => {
    await add(database, 'a');
    await expect(add(database, 'a')).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual(['a']);
  });

  it('commits when the work resolves and gives its result', async () => {
    const result = await database.transaction(async (inner) => {
      await add(inner, 'a');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await notes()).toEqual(['a']);
  });

  it('rolls back when the work throws, and passes on that very error', async () => {
    const failure = new Error('changed my mind');
    const work = database.transaction(async (inner) => {
      await add(inner, 'a');
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await notes()).toEqual([]);
  });

  it('does not take a socket error of the work for a database that is unavailable', async () => {
    const failure = Object.assign(new Error('the carrier is away'), { code: 'ECONNREFUSED' });
    await expect(database.transaction(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('undoes only the nested part when nested work throws', async () => {
    await database.transaction(async (outer) => {
      await add(outer, 'a');
      await expect(
        outer.transaction(async (nested) => {
          await add(nested, 'b');
          await add(nested, 'a');
        }),
      ).rejects.toMatchObject({ code: '23505' });
      await outer.transaction(async (nested) => {
        await add(nested, 'c');
        await nested.transaction((deeper) => add(deeper, 'd'));
      });
    });
    expect(await notes()).toEqual(['a', 'c', 'd']);
  });

  it('undoes nested work too when the outer work throws', async () => {
    const work = database.transaction(async (outer) => {
      await outer.transaction((nested) => add(nested, 'a'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await notes()).toEqual([]);
  });

  it('runs statements that are asked for together one after another', async () => {
    await database.transaction((inner) => Promise.all(['a', 'b', 'c'].map((text) => add(inner, text))));
    expect(await notes()).toEqual(['a', 'b', 'c']);
  });

  it('waits for statements that the work did not wait for', async () => {
    await database.transaction(async (inner) => {
      void add(inner, 'a');
    });
    expect(await notes()).toEqual(['a']);
  });

  it('refuses a second nested transaction while another one is open', async () => {
    const work = database.transaction((outer) =>
      Promise.all(['a', 'b'].map((text) => outer.transaction((nested) => add(nested, text)))),
    );
    await expect(work).rejects.toThrow(/nested .*already open/);
    expect(await notes()).toEqual([]);
  });

  it('refuses to commit what an open nested transaction still works on', async () => {
    let finish: (() => void) | undefined;
    const work = database.transaction(async (outer) => {
      outer
        .transaction(async (nested) => {
          await add(nested, 'a');
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        })
        .catch(() => undefined);
      await eventually(() => finish !== undefined);
    });
    await expect(work).rejects.toThrow(/nested .*still open/);
    finish?.();
    expect(await notes()).toEqual([]);
  });

  it('does not report as committed what PostgreSQL rolled back because an error was caught', async () => {
    const work = database.transaction(async (inner) => {
      await add(inner, 'a');
      await add(inner, 'a').catch(() => undefined);
    });
    await expect(work).rejects.toThrow(/rolled back/);
    expect(await notes()).toEqual([]);
  });

  it('refuses statements after the transaction has ended', async () => {
    const escaped = await database.transaction((inner) => Promise.resolve(inner));
    await expect(escaped.query('SELECT 1')).rejects.toThrow(/has ended/);
    await expect(escaped.transaction((nested) => nested.query('SELECT 1'))).rejects.toThrow(/has ended/);
  });

  it('rejects with UNAVAILABLE when the connection goes in the middle, and continues with another', async () => {
    const work = database.transaction(async (inner) => {
      await add(inner, 'a');
      const rows = await inner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await host.query({ sql: 'SELECT pg_terminate_backend($1)', values: [rows.at(0)?.pid] });
      await inner.query('SELECT 1');
    });
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await notes()).toEqual([]);
  });
});
