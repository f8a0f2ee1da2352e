import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { changeType } from '../src/schema/column-types';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url, options: '-c TimeZone=UTC' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
afterEach(() => client.query('DROP TABLE IF EXISTS item'));

/** @returns what the column has as text after the change */
async function change(actual: string, wanted: string, value: string): Promise<string> {
  await client.query(`CREATE TABLE item (f ${actual})`);
  await client.query(`INSERT INTO item VALUES ($1::text::${actual}), (NULL)`, [value]);
  await client.query(`ALTER TABLE item ALTER COLUMN f ${changeType('f', actual, wanted)}`);
  const { rows } = await client.query<{ f: string }>('SELECT f::text AS f FROM item WHERE f IS NOT NULL');
  expect(rows).toHaveLength(1);
  return rows[0]?.f ?? '';
}

describe('the change of a column to another type', () => {
  it.each([
    ['text', 'numeric(10,2)', '1.5', '1.50'],
    ['text', 'numeric(10,2)', ' 1.500 ', '1.50'],
    ['text', 'integer', '7', '7'],
    ['text', 'double precision', '0.1', '0.1'],
    ['character varying(20)', 'date', '2026-01-31', '2026-01-31'],
    ['text', 'timestamp(3) with time zone', '2026-01-31T10:00:00.123+02:00', '2026-01-31 08:00:00.123+00'],
    ['text', 'time(3) without time zone', '9:30', '09:30:00'],
    ['text[]', 'numeric(10,2)[]', '{1.5,2}', '{1.50,2.00}'],
    ['text[]', 'date[]', '{2026-01-31}', '{2026-01-31}'],
    ['text[]', 'time(3) without time zone[]', '{09:30,10:15:01.5}', '{09:30:00,10:15:01.5}'],
    ['text', 'boolean', 'yes', 'true'],
    ['integer', 'boolean', '1', 'true'],
    ['integer', 'boolean', '0', 'false'],
    ['boolean', 'integer', 'true', '1'],
    ['timestamp with time zone', 'date', '2026-01-31T00:00:00Z', '2026-01-31'],
    ['numeric(10,4)', 'numeric(10,2)', '1.5', '1.50'],
  ])('keeps values that mean the same: from %s to %s: %s', async (actual, wanted, value, expected) => {
    expect(await change(actual, wanted, value)).toBe(expected);
  });

  it.each([
    ['text', 'numeric(10,2)', '1.255'],
    ['text', 'integer', '1.5'],
    ['text', 'double precision', '0.12345678901234567890'],
    ['text', 'real', '0.123456789'],
    ['text', 'date', '2026-01-31 10:00'],
    ['text', 'date', '2026-01-31T00:00:00+02:00'],
    ['text', 'timestamp(0) with time zone', '2026-01-31T10:00:00.5Z'],
    ['text', 'timestamp(6) with time zone', '2026-01-31T10:00:00.1234567Z'],
    ['text', 'timestamp(3) without time zone', '2026-01-31T10:00:00+02:00'],
    ['text', 'time(3) without time zone', '2026-01-31 10:00'],
    ['text', 'time(3) without time zone', '10:00+02'],
    ['text', 'time(0) without time zone', '10:00:00.6'],
    ['text[]', 'numeric(10,2)[]', '{1.5,1.255}'],
    ['text[]', 'date[]', '{2026-01-31,2026-01-31 10:00}'],
    ['text[]', 'time(3) without time zone[]', '{09:30,2026-01-31 10:00}'],
    ['integer', 'boolean', '5'],
    ['timestamp with time zone', 'date', '2026-01-31T10:00:00Z'],
    ['numeric(10,4)', 'numeric(10,2)', '1.255'],
    ['double precision', 'integer', '1.5'],
    ['bigint', 'integer', '3000000000'],
  ])('is refused where it would change a value: from %s to %s: %s', async (actual, wanted, value) => {
    await expect(change(actual, wanted, value)).rejects.toThrow(
      /would be changed|out of range|invalid input|malformed/,
    );
    expect((await client.query<{ f: string }>('SELECT f::text AS f FROM item WHERE f IS NOT NULL')).rows).toHaveLength(
      1,
    );
  });
});
