import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@gantry/launcher';
import { eventually } from '../../support/eventually';
import { startTestHost, type TestHost } from '../../support/platform';
import { itemsOf, send, type Answer } from '../../support/rest-client';
import { createLimitedDatabase, type LimitedDatabase } from './support/limited-database';
import { workbench } from './support/workbench';

/** Writes until the answer is no success. */
async function untilRefused(write: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const answer = await write();
    if (answer.status >= 300) return answer;
  }
  throw new Error('No write was refused.');
}

function importLines(address: string, type: string, rows: readonly object[]): Promise<Answer> {
  return send(address, `/api/cms/imports/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: rows.map((row) => JSON.stringify(row)).join('\n'),
  });
}

describe('a separate PostgreSQL', () => {
  let home: string;
  let postgres: RunningPostgres | undefined;
  let host: TestHost;

  const start = (): Promise<RunningPostgres> =>
    startPostgres({ home, settings: { fsync: 'off', max_connections: '30' } });

  beforeAll(async () => {
    // By this name the next test run ends a server that a killed one has left (test/support/global-setup.cjs).
    home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
    // The server runs as another user when this is root.
    chmodSync(home, 0o755);
    postgres = await start();
    host = await startTestHost({ databaseUrl: postgres.url });
  });

  afterAll(async () => {
    await host.stop();
    await postgres?.stop({ force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('with another host', () => {
    let limited: LimitedDatabase;
    let limitedHost: TestHost;

    beforeAll(async () => {
      limited = await createLimitedDatabase(postgres?.url ?? '', postgres?.dataFolder ?? '');
      limitedHost = await startTestHost({ ...workbench, databaseUrl: limited.url });
    });

    afterAll(async () => {
      await limitedHost.stop();
      await limited.remove();
    });

    const readiness = async (): Promise<unknown> => {
      const answer = await send(limitedHost.address, '/readyz');
      return [answer.status, answer.json.data.status, answer.json.data.parts[0]];
    };

    it('has 30 connections: reads and writes of both hosts are all served', async () => {
      const requests = await Promise.all(
        [host, limitedHost].map(async (one) => {
          const items = itemsOf(one);
          const catalog = await items.created('catalog', { code: 'crowded' });
          return (index: number): Promise<readonly Answer[]> =>
            Promise.all([
              items.get(`catalog/${catalog}`),
              items.list('catalog', '', [{ field: 'code', operator: 'CONTAINS', value: 'crow' }]),
              items.search('catalog', []),
              items.create('product', { code: `${index}`, catalog }),
              items.patch('catalog', catalog, { name: `${index}` }),
            ]);
        }),
      );
      // A hundred requests at once: each waits for a connection, but none as long as the host lets it wait.
      const statuses: (readonly number[])[] = [];
      for (const wave of [0, 10, 20]) {
        const rounds = Array.from({ length: 10 }, (_, index) =>
          requests.map((request) => request(wave + index)),
        ).flat();
        statuses.push(...(await Promise.all(rounds)).map((answers) => answers.map(({ status }) => status)));
      }

      expect(statuses).toEqual(Array.from({ length: 60 }, () => [200, 200, 200, 201, 200]));
    });

    it('takes no writes while its disk is full: reads continue, writes get 503, and it recovers without a restart', async () => {
      const items = itemsOf(limitedHost);
      const catalog = await items.created('catalog', { code: 'first' });
      const member = await items.created('person', {});
      let number = 0;
      const codes = (): string => `${(number += 1)} ${'x'.repeat(200)}`;
      const writes: readonly (() => Promise<Answer>)[] = [
        () => items.create('product', { code: codes(), catalog }),
        () => items.create('team', { name: codes(), members: [member] }),
        () => items.patch('catalog', catalog, { name: codes() }),
        () =>
          importLines(
            limitedHost.address,
            'catalog',
            Array.from({ length: 200 }, () => ({ code: codes() })),
          ),
      ];
      await limited.fill();
      const refused = await Promise.all(writes.map(untilRefused));

      expect(refused.map((answer) => [answer.status, answer.headers['retry-after'], answer.json.error])).toEqual(
        refused.map(() => [
          503,
          '5',
          expect.objectContaining({
            code: 'UNAVAILABLE',
            message: expect.stringMatching(/disk of the database is full/),
          }),
        ]),
      );
      expect((await items.get(`catalog/${catalog}`)).status).toBe(200);
      expect((await items.list('product')).status).toBe(200);
      await eventually(async () => {
        expect(await readiness()).toEqual([
          200,
          'degraded',
          { name: 'database', status: 'degraded', message: expect.stringContaining('disk of the database is full') },
        ]);
        return true;
      });

      await limited.free();
      await eventually(async () => {
        expect(await readiness()).toEqual([200, 'ready', { name: 'database', status: 'up' }]);
        return true;
      });
      expect((await Promise.all(writes.map((write) => write()))).map((answer) => answer.status)).toEqual([
        201, 201, 200, 200,
      ]);
    });

    it('takes no writes while it is read-only: reads continue, writes get 503, and it recovers without a restart', async () => {
      const items = itemsOf(limitedHost);
      const catalog = await items.created('catalog', { code: 'second' });
      const member = await items.created('person', {});
      const write = (): Promise<readonly Answer[]> =>
        Promise.all([
          items.create('product', { code: 'p', catalog }),
          items.create('team', { name: 'n', members: [member] }),
          items.patch('catalog', catalog, { name: 'x' }),
          items.put('catalog', catalog, { code: 'third' }),
          importLines(limitedHost.address, 'catalog', [{ code: 'fourth' }]),
          items.remove('person', member),
        ]);
      await limited.setReadOnly(true);
      await eventually(async () => (await items.create('catalog', { code: `probe` })).status === 503);
      // Connections that were closed meanwhile are answered as ones that do not answer, until each was found out.
      await eventually(async () => {
        const refused = await write();
        expect(refused.map((answer) => [answer.status, answer.headers['retry-after'], answer.json.error])).toEqual(
          refused.map(() => [
            503,
            '5',
            expect.objectContaining({ code: 'UNAVAILABLE', message: expect.stringMatching(/database is read-only/) }),
          ]),
        );
        return true;
      });
      expect((await items.get(`catalog/${catalog}`)).status).toBe(200);
      await eventually(async () => {
        expect(await readiness()).toEqual([
          200,
          'degraded',
          { name: 'database', status: 'degraded', message: expect.stringContaining('read-only') },
        ]);
        return true;
      });

      await limited.setReadOnly(false);
      await eventually(async () => {
        expect(await readiness()).toEqual([200, 'ready', { name: 'database', status: 'up' }]);
        return true;
      });
      await eventually(async () => (await items.patch('catalog', catalog, { name: 'y' })).status === 200);
    });
  });

  it('that stops is answered by 503 with Retry-After until it is back, and then everything works again without a restart', async () => {
    const items = itemsOf(host);
    const catalog = await items.created('catalog', { code: 'kept' });
    await postgres?.stop();

    const needing = await Promise.all([
      items.list('product'),
      items.search('product', []),
      items.get(`catalog/${catalog}`),
      items.create('product', { code: 'p', catalog }),
      items.create('product', {}),
      items.create('product', { catalog, price: 'x' }),
      items.patch('catalog', catalog, { name: 'x' }),
      items.remove('catalog', catalog),
    ]);
    expect(needing.map((answer) => [answer.status, answer.headers['retry-after'], answer.json.error.code])).toEqual(
      needing.map((_, index) => (index === 4 ? [400, undefined, 'VALIDATION_FAILED'] : [503, '5', 'UNAVAILABLE'])),
    );
    const inMemory = await Promise.all(
      ['/livez', '/metrics', '/api/cms/items/types', '/api/cms/items/product/metadata'].map((path) =>
        send(host.address, path),
      ),
    );
    expect(inMemory.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    await eventually(async () => (await send(host.address, '/readyz')).status === 503);
    const ready = await send(host.address, '/readyz');
    expect(ready.headers['retry-after']).toBe('5');
    expect(ready.json.data.parts[0]).toEqual({ name: 'database', status: 'down', message: expect.any(String) });

    postgres = await start();
    await eventually(async () => (await send(host.address, '/readyz')).status === 200);
    expect((await items.row('catalog', catalog)).values.code).toBe('kept');
    expect((await items.create('product', { code: 'p', catalog })).status).toBe(201);
    const made = [{ field: 'code', operator: 'EQUALS', value: 'p' }];
    expect((await items.search('product', made)).json.data).toHaveLength(1);
  });
});
