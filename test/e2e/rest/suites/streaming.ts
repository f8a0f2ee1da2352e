import { Client } from 'pg';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { openConnection, type RawConnection } from '../../../support/raw-connection';
import { itemsOf, send } from '../../../support/rest-client';
import { fillHoard } from '../support/fill-hoard';

/** Searches without a limit. */
export function describeStreaming(host: TestHost): void {
  const rows = 100_000;
  let client: Client;

  // Before the host takes its database away.
  afterAll(() => client.end());

  const items = itemsOf(host);

  beforeAll(async () => {
    client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    await fillHoard(host.databaseUrl, rows);
  });

  async function residentMegabytes(): Promise<number> {
    const { text } = await send(host.address, '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024;
  }

  /** Sends a search whose answer the test reads as it likes. */
  async function openSearch(body = '[]'): Promise<RawConnection> {
    const connection = await openConnection(host.port);
    opened.push(connection);
    connection.write(
      `POST /api/cms/items/hoard/search HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return connection;
  }

  const opened: RawConnection[] = [];

  afterEach(() => {
    for (const connection of opened.splice(0)) connection.socket.destroy();
  });

  /** Reads the first rows and then no more. */
  async function openStalledSearch(): Promise<RawConnection> {
    const connection = await openSearch();
    await connection.until(/"subLabel"/);
    connection.socket.pause();
    return connection;
  }

  /** The chunks of an answer put together. */
  function bodyOf(received: string): string {
    let rest = received.slice(received.indexOf('\r\n\r\n') + 4);
    const parts: string[] = [];
    for (;;) {
      const line = rest.indexOf('\r\n');
      const length = Number.parseInt(rest.slice(0, line), 16);
      if (!(length > 0)) return parts.join('');
      parts.push(rest.slice(line + 2, line + 2 + length));
      rest = rest.slice(line + 4 + length);
    }
  }

  /** Streams that the database still has at work or open. */
  async function openStreams(): Promise<number> {
    const result = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'gantry stream' AND state <> 'idle'`,
    );
    return Number(result.rows[0]?.count);
  }

  /** Those whose statement waits for a lock: one that has just ended may still be shown at work, which no longer stops it. */
  const waitingStreams = `datname = current_database() AND application_name = 'gantry stream' AND wait_event_type = 'Lock'`;

  async function untilAStreamWaits(): Promise<void> {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE ${waitingStreams}`;
    await eventually(async () => (await client.query(sql)).rowCount === 1, 'a stream waits for the lock');
  }

  describe('a list of a hundred thousand rows', () => {
    it('counts up to a limit, unless all are to be counted', async () => {
      const metaOf = async (query: string, criteria: readonly object[] = []) =>
        (await items.list('hoard', `?limit=1&${query}`, criteria)).json.meta;
      expect(await metaOf('cappedTotal=true')).toMatchObject({ total: 10_000, isTotalCapped: true });
      expect(await metaOf('cappedTotal=true&total=true')).toMatchObject({ total: rows });
      const few = [{ field: 'rank', operator: 'LESS_THAN', value: '10001' }];
      const { total, isTotalCapped } = await metaOf('cappedTotal=true', few);
      expect([total, isTotalCapped]).toEqual([10_000, undefined]);
    });
  });

  describe('an uncapped search', () => {
    it('gives every one of a hundred thousand rows, in little memory', async () => {
      await items.search('hoard', []);
      const before = await residentMegabytes();
      let most = before;
      const sampling = setInterval(() => {
        void residentMegabytes().then((megabytes) => (most = Math.max(most, megabytes)));
      }, 100);
      try {
        for (let round = 0; round < 2; round += 1) {
          const answer = await items.search('hoard', []);
          expect(answer.status).toBe(200);
          expect(new Set(answer.json.data.map((result: { id: number }) => result.id)).size).toBe(rows);
        }
      } finally {
        clearInterval(sampling);
      }
      expect(most - before).toBeLessThan(64);
    });

    it('waits for a reader that stops, in little memory, while others continue, and then continues itself', async () => {
      const before = await residentMegabytes();
      const stalled = await Promise.all(Array.from({ length: 3 }, openStalledSearch));
      const others = await Promise.all([
        ...Array.from({ length: 4 }, () => items.search('hoard', [], '?limit=20000')),
        ...Array.from({ length: 20 }, () => items.list('hoard')),
      ]);
      expect(others.map((answer) => answer.status)).toEqual(others.map(() => 200));
      expect(others.slice(0, 4).map((answer) => answer.json.data.length)).toEqual([20_000, 20_000, 20_000, 20_000]);
      expect((await residentMegabytes()) - before).toBeLessThan(128);

      for (const reader of stalled) reader.socket.resume();
      const bodies = await Promise.all(stalled.map(async (reader) => bodyOf(await reader.closed())));
      expect(bodies.map((body) => JSON.parse(body).data.length)).toEqual(stalled.map(() => rows));
      await eventually(async () => (await openStreams()) === 0);
    });

    it('holds no connection for a reader that stalls, however many there are', async () => {
      // Twice as many as a host has connections for them.
      const stalled = await Promise.all(Array.from({ length: 25 }, openStalledSearch));
      await eventually(async () => (await openStreams()) === 0);
      const answer = await items.search('hoard', [], '?limit=10');
      expect([answer.status, answer.json.data.length]).toEqual([200, 10]);

      // None of the others has lost its place.
      for (const reader of stalled.slice(0, 3)) reader.socket.resume();
      const bodies = await Promise.all(stalled.slice(0, 3).map(async (reader) => bodyOf(await reader.closed())));
      expect(bodies.map((body) => JSON.parse(body).data.length)).toEqual([rows, rows, rows]);
    });

    it('finds an item once while others are created and deleted, and gives the limit that is asked for', async () => {
      const reader = await openStalledSearch();
      await client.query(`INSERT INTO workbench_hoard (name, rank) SELECT 'late', 0 FROM generate_series(1, 100)`);
      await client.query(`DELETE FROM workbench_hoard WHERE id % 1000 = 0 AND name <> 'late'`);
      reader.socket.resume();
      const found = JSON.parse(bodyOf(await reader.closed())).data.map((result: { id: number }) => result.id);
      await client.query(`DELETE FROM workbench_hoard WHERE name = 'late'`);
      await client.query(
        `INSERT INTO workbench_hoard (name, rank) SELECT 'name ' || n, n FROM generate_series(1000, $1::int, 1000) n`,
        [rows],
      );

      expect(new Set(found).size).toBe(found.length);
      expect(found.length).toBeGreaterThanOrEqual(rows - rows / 1000);
      const limited = await items.search('hoard', [], '?limit=7001');
      expect(new Set(limited.json.data.map((result: { id: number }) => result.id)).size).toBe(7001);
    });

    it('is cancelled in the database when its reader disconnects before the first row', async () => {
      const locker = new Client({ connectionString: host.databaseUrl });
      await locker.connect();
      await locker.query('BEGIN; LOCK TABLE workbench_hoard IN ACCESS EXCLUSIVE MODE');
      try {
        const readers = await Promise.all(Array.from({ length: 5 }, () => openSearch()));
        await eventually(async () => (await openStreams()) === 5);
        for (const reader of readers) reader.socket.destroy();
        await eventually(async () => (await openStreams()) === 0);
      } finally {
        await locker.end();
      }
      expect((await items.search('hoard', [], '?limit=5')).status).toBe(200);
    });

    it('answers a fault before the first row with an error, and breaks off after it', async () => {
      const stalled = await openStalledSearch();
      const locker = new Client({ connectionString: host.databaseUrl });
      await locker.connect();
      await locker.query('BEGIN; LOCK TABLE workbench_hoard IN ACCESS EXCLUSIVE MODE');
      let received: string;
      try {
        stalled.socket.resume();
        await untilAStreamWaits();
        await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waitingStreams}`);
        received = await stalled.closed();
      } finally {
        await locker.end();
      }
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      // The last chunk is missing, by which a client knows that the answer is not whole.
      expect(received.endsWith('0\r\n\r\n')).toBe(false);
      const next = await items.search('hoard', [], '?limit=5');
      expect([200, 503]).toContain(next.status);
    });

    it('frees its connection when it is read to the end', async () => {
      await Promise.all(Array.from({ length: 40 }, () => items.search('hoard', [], '?limit=100')));
      await eventually(async () => (await openStreams()) === 0);
      const { text } = await send(host.address, '/metrics');
      expect(text).toMatch(/gantry_database_connections\{pool="stream",state="waiting"\} 0/);
    });
  });
}
