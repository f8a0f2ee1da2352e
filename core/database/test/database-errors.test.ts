import type { GantryError } from '@gantry/plugin-api';
import { Client } from 'pg';
import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { Sequelize } from 'sequelize-typescript';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createSequelize } from '../src/create-sequelize';
import {
  foreignKeyViolation,
  isStatementTimeout,
  isTransactionConflict,
  isUnavailable,
  notNullViolation,
  sqlStateOf,
  translateUnavailable,
  uniqueViolation,
  valueError,
} from '../src/database-errors';
import { eventually } from '../../../test/support/eventually';
import { createSeverableProxy } from '../../../test/support/severable-proxy';

const coded = (code: string, message = 'text'): Error => Object.assign(new Error(message), { code });
const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const named = (name: string): Error => Object.assign(new Error('text'), { name });

describe('isUnavailable', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EPIPE',
    'ETIMEDOUT',
    '57P01',
    '57P02',
    '57P03',
    '25006',
    '53000',
    '53100',
    '53200',
    '53300',
    '53400',
    '58030',
    '08006',
    '08P01',
    '28P01',
    '3D000',
  ])('knows the code %s', (code) => expect(isUnavailable(coded(code))).toBe(true));

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('knows "%s", which has no code', (message) => expect(isUnavailable(new Error(message))).toBe(true));

  it.each(['SequelizeConnectionError', 'SequelizeConnectionAcquireTimeoutError', 'SequelizeHostNotFoundError'])(
    'knows %s',
    (name) => expect(isUnavailable(named(name))).toBe(true),
  );

  it('looks into wrappers and aggregates, also where they form a circle', () => {
    expect(isUnavailable(Object.assign(new Error('wrapper'), { original: coded('ECONNRESET') }))).toBe(true);
    expect(isUnavailable(Object.assign(new Error('wrapper'), { parent: coded('57P01') }))).toBe(true);
    expect(isUnavailable(new Error('outer', { cause: new Error('inner', { cause: coded('ECONNREFUSED') }) }))).toBe(
      true,
    );
    expect(isUnavailable(new AggregateError([new Error('one'), coded('ECONNREFUSED')], 'both'))).toBe(true);
    const circle = new Error('circle');
    circle.cause = circle;
    expect(isUnavailable(circle)).toBe(false);
  });

  it('takes nothing else for it', () => {
    for (const other of [
      undefined,
      null,
      'ECONNREFUSED',
      7,
      {},
      new Error('text'),
      coded('23505'),
      coded('ENOENT'),
      coded('22P02', 'Connection terminated'),
    ]) {
      expect(isUnavailable(other)).toBe(false);
    }
  });
});

describe('translateUnavailable', () => {
  it('gives UNAVAILABLE with the error as cause and Retry-After, once', () => {
    const cause = coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432');
    const translated = translateUnavailable(cause) as GantryError;
    expect(translated).toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '5' }, cause });
    expect(translated.message).not.toContain('10.0.0.1');
    expect(translateUnavailable(translated)).toBe(translated);
  });

  it('gives UNAVAILABLE for a statement that ran into its time limit, which is still to be seen', () => {
    const translated = translateUnavailable(coded('57014'));
    expect(translated).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('took too long') });
    expect(isStatementTimeout(translated)).toBe(true);
  });

  it.each([
    ['53100', /disk .* full/],
    ['25006', /read-only/],
    ['53300', /^(?!.*answer).*no free connection/],
    ['08006', /not answer or .*no free connection/],
  ])('names the reason of %s', (code, reason) => {
    const wrapped = new Error('wrapper', { cause: coded(code) });
    expect(translateUnavailable(wrapped)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(reason),
    });
  });

  it('gives any other error back as it is', () => {
    const error = coded('23505');
    expect(translateUnavailable(error)).toBe(error);
  });
});

describe('errors of a real PostgreSQL', () => {
  let database: TestDatabase;
  let client: Client;
  let sequelize: Sequelize;
  let item: ModelStatic<Model>;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`
      CREATE TABLE box (id int CONSTRAINT box_pk PRIMARY KEY);
      CREATE TABLE item (id int CONSTRAINT item_pk PRIMARY KEY, code varchar(3) CONSTRAINT item_code UNIQUE, name text NOT NULL DEFAULT '',
        box_id int CONSTRAINT item_box REFERENCES box ON DELETE RESTRICT, price numeric(4,2), amount int);
      INSERT INTO box VALUES (1); INSERT INTO item (id, code, box_id) VALUES (1, 'a', 1)`);
    sequelize = createSequelize(database.url);
    item = sequelize.define(
      'item',
      {
        id: { type: DataTypes.INTEGER, primaryKey: true },
        code: DataTypes.STRING(3),
        name: DataTypes.TEXT,
        box_id: DataTypes.INTEGER,
        price: DataTypes.DECIMAL(4, 2),
        amount: DataTypes.INTEGER,
      },
      { tableName: 'item', timestamps: false },
    );
  });

  afterAll(async () => {
    await client.end();
    await sequelize.close();
    await database.drop();
  });

  /** The same failing insert through pg and through Sequelize. */
  async function bothWays(values: Record<string, string | number | null>): Promise<readonly unknown[]> {
    const names = Object.keys(values);
    const sql = `INSERT INTO item (${names.join(', ')}) VALUES (${names.map((_, position) => `$${position + 1}`).join(', ')})`;
    return [
      await thrownBy(client.query(sql, Object.values(values))),
      await thrownBy(item.create(values, { validate: false })),
    ];
  }

  it('names table and constraint of a unique violation', async () => {
    for (const error of await bothWays({ id: 2, code: 'a', name: '' })) {
      expect(uniqueViolation(error)).toEqual({ table: 'item', constraint: 'item_code', keys: ['code'] });
      expect(foreignKeyViolation(error)).toBeUndefined();
      expect(isUnavailable(error)).toBe(false);
    }
  });

  it('names referring table and constraint when the target is missing', async () => {
    for (const error of await bothWays({ id: 2, box_id: 9, name: '' })) {
      expect(foreignKeyViolation(error)).toEqual({ table: 'item', constraint: 'item_box', keys: ['box_id'] });
      expect(uniqueViolation(error)).toBeUndefined();
    }
  });

  it('names referring table and constraint when the target is deleted', async () => {
    const errors = [
      await thrownBy(client.query('DELETE FROM box WHERE id = 1')),
      await thrownBy(sequelize.query('DELETE FROM box WHERE id = 1')),
    ];
    for (const error of errors) {
      expect(foreignKeyViolation(error)).toEqual({ table: 'item', constraint: 'item_box', keys: ['id'] });
    }
  });

  it('names the required column that was left empty', async () => {
    for (const error of await bothWays({ id: 2, name: null })) {
      expect(notNullViolation(error)).toEqual({ table: 'item', column: 'name' });
    }
  });

  it.each<[string, Record<string, string | number>, string]>([
    ['too long a text', { id: 2, code: 'abcd', name: '' }, '22001'],
    ['a number out of range', { id: 2, price: '123456', name: '' }, '22003'],
    ['an integer out of range', { id: 2, amount: '99999999999', name: '' }, '22003'],
  ])('knows a value error: %s', async (_name, values, sqlState) => {
    for (const error of await bothWays(values)) expect(valueError(error)).toMatchObject({ sqlState });
  });

  it('knows a NUL in text as a value error', async () => {
    // Sequelize never lets it through: it stores a backslash and a zero instead.
    expect(valueError(await thrownBy(client.query('SELECT $1::text', ['a\0b'])))).toMatchObject({ sqlState: '22021' });
  });

  it('knows a statement that ran into its time limit, and one that was no statement', async () => {
    await client.query('SET statement_timeout = 20');
    expect(isStatementTimeout(await thrownBy(client.query('SELECT pg_sleep(5)')))).toBe(true);
    await client.query('RESET statement_timeout');
    const syntax = await thrownBy(sequelize.query('SELEC 1'));
    expect(sqlStateOf(syntax)).toBe('42601');
    expect([
      valueError(syntax),
      uniqueViolation(syntax),
      isStatementTimeout(syntax),
      isTransactionConflict(syntax),
    ]).toEqual([undefined, undefined, false, false]);
  });

  it('knows two transactions that got into each other’s way', async () => {
    const both = createMeeting(2);
    const outcomes = await Promise.all(
      [1, 2].map(() =>
        thrownBy(
          sequelize.transaction({ isolationLevel: 'SERIALIZABLE' as never }, async (transaction) => {
            await sequelize.query('SELECT sum(id) FROM item', { transaction });
            await both.arrive();
            await sequelize.query('UPDATE item SET amount = 1 WHERE id = 1', { transaction });
          }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => isTransactionConflict(outcome))).toHaveLength(1);
  });
});

describe('createSequelize', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  it('works in UTC and in the schema public', async () => {
    const sequelize = createSequelize(database.url);
    const [rows] = await sequelize.query(
      `SELECT extract(timezone FROM now())::int AS zone, current_setting('search_path') AS path, current_setting('application_name') AS name`,
    );
    expect(rows).toEqual([{ zone: 0, path: 'public', name: 'gantry write' }]);
    await sequelize.close();
  });

  it('reports UNAVAILABLE when the database is unavailable, does not end the process, and recovers by itself', async () => {
    const proxy = await createSeverableProxy(database.url);
    const sequelize = createSequelize(proxy.url);
    await sequelize.query('SELECT 1');
    const sleeping = sequelize.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    await sequelize.query('SELECT 1');
    await proxy.sever();
    expect(isUnavailable(await sleeping)).toBe(true);
    expect(isUnavailable(await sequelize.query('SELECT 1').catch((error: unknown) => error))).toBe(true);
    await proxy.restore();
    await eventually(() => sequelize.query('SELECT 1').then(() => true));
    await sequelize.close();
    await proxy.close();
  });

  it('says nothing on the console when a transaction loses its connection, and continues with another', async () => {
    const printed = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const proxy = await createSeverableProxy(database.url);
    const sequelize = createSequelize(proxy.url, { size: 1 });
    const failure = await sequelize
      .transaction(async (transaction) => {
        await sequelize.query('SELECT 1', { transaction });
        await proxy.sever();
        await sequelize.query('SELECT 1', { transaction });
      })
      .catch((error: unknown) => error);

    expect(isUnavailable(failure)).toBe(true);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    await proxy.restore();
    await eventually(() => sequelize.query('SELECT 1').then(() => true));
    await sequelize.close();
    await proxy.close();
  });

  it('reports waiting too long for a connection as unavailable', async () => {
    // Long enough for the first connection to be made, also on a busy machine.
    const sequelize = createSequelize(database.url, { size: 1, acquireTimeoutMs: 1_500 });
    const busy = await sequelize.transaction();
    expect(isUnavailable(await sequelize.query('SELECT 1').catch((error: unknown) => error))).toBe(true);
    await busy.rollback();
    await sequelize.close();
    expect(isUnavailable(await sequelize.query('SELECT 1').catch((error: unknown) => error))).toBe(true);
  });
});

/** Lets nobody continue before all have arrived. */
function createMeeting(size: number): { arrive(): Promise<void> } {
  let missing = size;
  let begin: () => void = () => undefined;
  const complete = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    arrive() {
      missing -= 1;
      if (missing === 0) begin();
      return complete;
    },
  };
}
