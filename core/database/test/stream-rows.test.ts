import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createDatabase, type HostDatabase } from '../src/create-database';
import type { StreamOptions } from '../src/transactions/stream-rows';
import { eventually } from '../../../test/support/eventually';
import { createRecordedLogger } from '../../../test/support/recorded-logger';

let testDatabase: TestDatabase;
let database: HostDatabase;
const logger = createRecordedLogger();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.url, logger, sizes: { stream: 2 }, connectTimeoutMs: 3_000 });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function batchesOf(options: StreamOptions): Promise<readonly (readonly (readonly unknown[])[])[]> {
  const batches = [];
  for await (const batch of database.streamRows(options)) batches.push(batch);
  return batches;
}

async function activeStatements(marker: string): Promise<number> {
  const rows = await database.query({
    sql: `SELECT count(*)::int FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND query LIKE '%' || $1 || '%'`,
    values: [marker],
  });
  return Number(rows.at(0)?.at(0));
}

const isIdle = (): boolean => {
  const { total, idle } = database.usage().stream;
  return total === idle;
};

type Stream = ReturnType<HostDatabase['streamRows']>;

/** Takes both connections, with readers that stall; each may do so for some milliseconds while others wait. */
async function openStalled(
  firstMs: number,
  secondMs: number,
  onStalled: (place: string) => void = () => undefined,
): Promise<readonly [Stream, Stream]> {
  const open = (place: string, crowdedStallTimeoutMs: number): Stream =>
    database.streamRows({
      sql: 'SELECT generate_series(1, 1000000)',
      crowdedStallTimeoutMs,
      onStalled: () => onStalled(place),
    });
  // A connection of an earlier test may still hold its place; waiting for it would be a reason to let go of the first.
  await eventually(isIdle);
  const streams = [open('first', firstMs), open('second', secondMs)] as const;
  await Promise.all(streams.map((stream) => stream.next()));
  return streams;
}

describe('streamRows', () => {
  it('gives every row once and in order, the first batch short', async () => {
    const batches = await batchesOf({
      sql: 'SELECT n, $1::text FROM generate_series(1, 12345) n ORDER BY n',
      values: ['x'],
    });
    const rows = batches.flat();
    expect(rows).toHaveLength(12_345);
    expect(rows.every(([number, text], index) => number === index + 1 && text === 'x')).toBe(true);
    expect(batches[0]).toHaveLength(50);
    expect(batches[1]).toHaveLength(1_000);
  });

  it.each([0, 1, 49, 50, 51, 1050, 1051])('ends rightly after %i rows', async (count) => {
    const batches = await batchesOf({ sql: 'SELECT generate_series(1, $1::int)', values: [count] });
    expect(batches.flat()).toHaveLength(count);
    expect(batches.every((batch) => batch.length > 0)).toBe(true);
  });

  it('makes batches shorter when rows are long', async () => {
    const batches = await batchesOf({ sql: `SELECT repeat('x', 100000) FROM generate_series(1, 100)` });
    expect(batches.flat()).toHaveLength(100);
    expect(Math.max(...batches.slice(1).map((batch) => batch.length))).toBe(5);
  });

  it('gives the first batch long before the statement is through', async () => {
    const stream = database.streamRows({ sql: 'SELECT n, pg_sleep(0.002) FROM generate_series(1, 100000) n' });
    const first = await stream.next();
    expect(first.value).toHaveLength(50);
    await stream.return();
  });

  it('uses its connection again after it was read to the end', async () => {
    const first = await batchesOf({ sql: 'SELECT pg_backend_pid()' });
    expect(await batchesOf({ sql: 'SELECT pg_backend_pid()' })).toEqual(first);
  });

  it('rejects with the error of a statement that is refused at once or half way', async () => {
    await expect(batchesOf({ sql: 'SELECT (' })).rejects.toMatchObject({ code: '42601' });
    await expect(batchesOf({ sql: 'SELECT 1 / (5000 - n) FROM generate_series(1, 10000) n' })).rejects.toMatchObject({
      code: '22012',
    });
    expect(await batchesOf({ sql: 'SELECT 1' })).toEqual([[[1]]]);
  });

  it('stops the statement on the server and frees the connection when the reader breaks off', async () => {
    for await (const batch of database.streamRows({
      sql: 'SELECT n, pg_sleep(0.01) FROM generate_series(1, 100000) n /* broken off */',
    })) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    await eventually(isIdle);
    await eventually(async () => (await activeStatements('broken off')) === 0);
  });

  it('stops the statement on the server when the signal aborts before the first row', async () => {
    const abort = new AbortController();
    const reading = batchesOf({ sql: 'SELECT pg_sleep(60) /* first row */', signal: abort.signal });
    const outcome = expect(reading).rejects.toThrow('gone away');
    await eventually(async () => (await activeStatements('first row')) === 1);
    abort.abort(new Error('gone away'));
    await outcome;
    await eventually(isIdle);
    await eventually(async () => (await activeStatements('first row')) === 0);
  });

  it('frees the connection when the signal aborts while the reader does not read', async () => {
    const abort = new AbortController();
    const stream = database.streamRows({ sql: 'SELECT generate_series(1, 1000000)', signal: abort.signal });
    await stream.next();
    abort.abort(new Error('gone away'));
    await eventually(isIdle);
    await expect(stream.next()).rejects.toThrow('gone away');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('does not even connect when the signal has aborted before', async () => {
    const reading = batchesOf({ sql: 'SELECT 1', signal: AbortSignal.abort(new Error('never wanted')) });
    await expect(reading).rejects.toThrow('never wanted');
  });

  it('lets a reader go that stalls, with REQUEST_TIMEOUT', async () => {
    const stream = database.streamRows({ sql: 'SELECT generate_series(1, 1000000)', stallTimeoutMs: 50 });
    await stream.next();
    await eventually(isIdle);
    await expect(stream.next()).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('keeps stalled readers from starving short queries, and rejects further streams with UNAVAILABLE', async () => {
    const stalled = await openStalled(60_000, 60_000);
    await Promise.all(Array.from({ length: 50 }, () => database.ping()));
    await expect(batchesOf({ sql: 'SELECT 1' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await Promise.all(stalled.map((stream) => stream.return()));
    expect(await batchesOf({ sql: 'SELECT 1' })).toEqual([[[1]]]);
  });

  it('gives the connection of the reader that has stalled longest to one that waits, and notifies it', async () => {
    const stalled: string[] = [];
    const [first, second] = await openStalled(50, 60_000, (place) => stalled.push(place));
    expect(await batchesOf({ sql: 'SELECT 1' })).toEqual([[[1]]]);
    expect(stalled).toEqual(['first']);
    await expect(first.next()).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect((await second.next()).done).toBe(false);
    await second.return();
  });

  it('lets go of no more stalled readers than others wait', async () => {
    const stalled: string[] = [];
    const streams = await openStalled(50, 50, (place) => stalled.push(place));
    expect(await batchesOf({ sql: 'SELECT 1' })).toEqual([[[1]]]);
    expect(stalled).toHaveLength(1);
    expect(await Promise.all([batchesOf({ sql: 'SELECT 1' }), batchesOf({ sql: 'SELECT 2' })])).toHaveLength(2);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('lets readers stall while nobody waits', async () => {
    const streams = await openStalled(1, 1);
    for (const stream of streams) expect((await stream.next()).done).toBe(false);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('gives back a connection that came after the signal aborted', async () => {
    const stalled = [1, 2].map(() => database.streamRows({ sql: 'SELECT generate_series(1, 1000000)' }));
    await Promise.all(stalled.map((stream) => stream.next()));
    const abort = new AbortController();
    const waiting = batchesOf({ sql: 'SELECT 1', signal: abort.signal });
    abort.abort(new Error('too slow'));
    await expect(waiting).rejects.toThrow('too slow');
    await Promise.all(stalled.map((stream) => stream.return()));
    await eventually(isIdle);
    expect(await batchesOf({ sql: 'SELECT 1' })).toEqual([[[1]]]);
  });

  it('does not take the ends of its own connections for a lost database', () => {
    expect(logger.lines).toEqual([]);
  });
});
