import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { compareDecimals, formatDecimal, isNumeral, parseDecimal, wholeDigits } from '../src/text/decimal-text';

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = createRandom(20_261_121);
const digits = (count: number): string => Array.from({ length: count }, () => random(10)).join('');

function randomNumeral(): string {
  const whole = random(4) === 0 ? '0' : `${random(9) + 1}${digits(random(25))}`;
  const fraction = random(3) === 0 ? '' : `.${digits(random(25) + 1)}`;
  const exponent = random(2) === 0 ? '' : `${random(2) === 0 ? 'e' : 'E'}${['', '+', '-'][random(3)]}${random(40)}`;
  return `${random(2) === 0 ? '-' : ''}${whole}${fraction}${exponent}`;
}

function exact(text: string) {
  const value = parseDecimal(text);
  if (value === undefined) throw new Error(`${text} is no number`);
  return value;
}

describe('parseDecimal and formatDecimal', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['0e99999', '0'],
    ['1.50', '1.5'],
    ['100', '100'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['12.5e-3', '0.0125'],
    ['-0.0125', '-0.0125'],
    ['+7', '7'],
    ['007', '7'],
    ['1e1000', `1${'0'.repeat(1000)}`],
    ['1e-1000', `0.${'0'.repeat(999)}1`],
    ['9'.repeat(1000), '9'.repeat(1000)],
  ])('read %s as %s', (text, plain) => {
    expect(formatDecimal(exact(text))).toBe(plain);
  });

  it.each([
    '',
    ' ',
    '1 ',
    '.5',
    '1.',
    '1e',
    'e1',
    '--1',
    '1,5',
    '1_0',
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '１',
    '1\n',
  ])('take %j for no number', (text) => {
    expect([parseDecimal(text), isNumeral(text)]).toEqual([undefined, false]);
  });

  it.each(['1e1001', '1e-1001', '1e99999999999', '9'.repeat(1001), `0.${'1'.repeat(1000)}`])(
    'refuse the work of a number with more digits than are reasonable: %s',
    (text) => {
      expect([parseDecimal(text), isNumeral(text)]).toEqual([undefined, true]);
    },
  );
});

describe('compareDecimals', () => {
  it.each([
    ['1', '1.000', 0],
    ['-0', '0', 0],
    ['1e3', '1000', 0],
    ['0.1', '0.10000000000000001', -1],
    ['-2', '-1', -1],
    ['9007199254740993', '9007199254740992', 1],
  ])('orders %s and %s as %d', (left, right, order) => {
    expect(compareDecimals(exact(left), exact(right))).toBe(order);
    expect(compareDecimals(exact(right), exact(left)) + order).toBe(0);
  });
});

describe('wholeDigits', () => {
  it.each([
    ['0', 0],
    ['0.99', 0],
    ['1.5', 1],
    ['-123.45', 3],
    ['1e20', 21],
    ['1e-20', 0],
  ])('of %s are %d', (text, count) => {
    expect(wholeDigits(exact(text))).toBe(count);
  });
});

describe('five hundred random numbers', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('mean the same to PostgreSQL, written as sent and as formatted, and compare alike', async () => {
    const numerals = Array.from({ length: 500 }, randomNumeral);
    const formatted = numerals.map((text) => formatDecimal(exact(text)));
    const { rows } = await client.query<{ equal: boolean; shortest: string; order: number }>(
      `SELECT a = b AS equal, trim_scale(a)::text AS shortest, sign(a - lag(a, 1, 0) OVER (ORDER BY n))::int AS "order"
       FROM unnest($1::numeric[], $2::numeric[]) WITH ORDINALITY AS t(a, b, n) ORDER BY n`,
      [numerals, formatted],
    );
    expect(rows.every((row) => row.equal)).toBe(true);
    expect(formatted).toEqual(rows.map((row) => row.shortest));
    const orders = numerals.map((text, index) => compareDecimals(exact(text), exact(numerals[index - 1] ?? '0')));
    expect(orders).toEqual(rows.map((row) => row.order));
  });
});
