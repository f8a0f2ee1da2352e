import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import {
  bringUpToDate,
  createChangeTables,
  createDatabase,
  withClient,
  type HostDatabase,
  type Position,
} from '@gantry/core-database';
import { subscriptionEvents } from '../src/table-events';
import { createSecretBox, type SecretBox } from '@gantry/core-common';
import { platformSchemas } from '@gantry/host';
import { resealWebhooks } from '../src/sending/reseal-webhooks';
import { createSubscriptionStore, type Progress, type SubscriptionStore } from '../src/delivery/subscription-store';
import { createWebhooks, type Webhooks } from '../src/sending/webhooks';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const receiver = { isFailing: false, lastError: null, hasDelivered: true };
const notes = { wanted: new Map([['notes_note', 'note']]), isInUse: (table: string) => table === 'notes_note' };
const noBacklog = {
  isRead: () => true,
  hasField: () => true,
  typesInUse: () => notes,
  backlogs: async (places: readonly unknown[]) => places.map(() => ({ count: 0, since: null })),
};
const noTypes = { wanted: new Map<string, string>(), isInUse: () => true };
const nothing: Progress = { changes: undefined, attempts: [], receiver };

describe('what is stored of subscriptions', () => {
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  let test: TestDatabase;
  let database: HostDatabase;
  let store: SubscriptionStore;
  let webhooks: Webhooks;
  let box: SecretBox;

  beforeAll(async () => {
    test = await createTestDatabase();
    await bringUpToDate({ databaseUrl: test.url, plugins: platformSchemas, logger });
    database = createDatabase({ url: test.url, logger });
    for (const statement of createChangeTables.split(';\n')) await database.plugins.query(statement);
    store = createSubscriptionStore(database.plugins);
    box = createSecretBox(home, undefined);
    webhooks = createWebhooks({
      database: database.plugins,
      box,
      feed: noBacklog,
      namesOf: () => Promise.resolve(new Map()),
    });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is progress of who took the subscription over last', async () => {
    const { id, subscriptionId } = await create();
    const first = await store.claim(subscriptionId, noTypes);
    const second = await store.claim(subscriptionId, noTypes);

    expect(await store.store(subscriptionId, first?.lease ?? '', progressTo(['1', '5', '5']))).toBe(false);
    expect(await store.store(subscriptionId, second?.lease ?? '', progressTo(['1', '6', '6']))).toBe(true);
    expect((await webhooks.get(id)).position).toBe('1.6.6');
  });

  it('is that a receiver fails, until an attempt succeeds', async () => {
    const { id, subscriptionId } = await create();
    const { lease = '' } = (await store.claim(subscriptionId, noTypes)) ?? {};
    const failingAfter = async (isFailing: boolean | null): Promise<boolean> => {
      await store.store(subscriptionId, lease, { ...nothing, receiver: { ...receiver, isFailing } });
      return (await webhooks.get(id)).failingSince !== null;
    };

    expect(await failingAfter(null)).toBe(false);
    expect(await failingAfter(true)).toBe(true);
    // Another run has begun, which has not made many attempts yet.
    expect(await failingAfter(null)).toBe(true);
    expect(await failingAfter(false)).toBe(false);
  });

  it('are changes that wait, those that were given up, and the attempts', async () => {
    const { id, subscriptionId } = await create();
    const { lease = '' } = (await store.claim(subscriptionId, noTypes)) ?? {};
    const change = { item: 'product/5', attempts: 2, since: 1_000, dueAt: 3_000, error: 'Status 500.\0' };
    const attempt = { position: at('7'), item: 'product/5', at: 1_000, attempt: 2, isDelivered: false, status: 500 };
    await store.store(subscriptionId, lease, {
      changes: {
        cursor: at('9'),
        waiting: [
          { ...change, position: at('7') },
          { ...change, position: at('8') },
        ],
        settled: [],
        givenUp: [{ ...change, position: at('6') }],
      },
      attempts: [{ ...attempt, durationMs: 12.4, error: 'Status 500.', answer: 'no' }],
      receiver: { isFailing: true, lastError: 'Status 500.', hasDelivered: false },
    });
    await store.store(subscriptionId, lease, {
      ...nothing,
      changes: { cursor: at('9'), waiting: [], settled: [at('8')], givenUp: [] },
    });

    expect((await store.claim(subscriptionId, noTypes))?.waiting).toEqual([
      { ...change, position: at('7'), error: 'Status 500.' },
    ]);
    expect(await webhooks.get(id)).toMatchObject({
      waiting: 1,
      undelivered: 1,
      lastError: 'Status 500.',
      failingSince: null,
    });
    expect((await webhooks.log(id, 10, undefined)).rows).toMatchObject([
      {
        subject: 'product/5',
        attempt: 2,
        delivered: false,
        status: 500,
        durationMs: 12,
        answer: 'no',
        position: '1.7.7',
      },
    ]);
    expect((await webhooks.undelivered(id, 10, undefined)).rows).toMatchObject([{ position: '1.6.6', attempts: 2 }]);
    expect(await webhooks.retry(id)).toMatchObject({ waiting: 2, undelivered: 0 });
  });

  it('is no claim of a subscription that is paused', async () => {
    const { id, subscriptionId } = await create();
    await webhooks.setState(id, 'paused');
    expect(await store.claim(subscriptionId, noTypes)).toBeUndefined();
  });

  it('are changes of a type that the host which delivers first does not have', async () => {
    const { id, subscriptionId } = await create(at('20'));
    const absent = { wanted: new Map<string, string>(), isInUse: () => false };
    const first = await store.claim(subscriptionId, absent);
    await addChange('21');
    await store.store(subscriptionId, first?.lease ?? '', progressTo(at('22')));

    expect((await store.claim(subscriptionId, notes))?.waiting).toMatchObject([{ item: 'note/1', position: at('21') }]);
    expect(await webhooks.get(id)).toMatchObject({ position: '1.22.22', waiting: 1 });
  });

  it('are changes of a type that was added to a webhook since it was delivered', async () => {
    const { id, subscriptionId } = await create(at('24'));
    const { lease = '' } = (await store.claim(subscriptionId, noTypes)) ?? {};
    await webhooks.within(database.plugins).update(id, { types: ['note'] });
    await store.claim(subscriptionId, { wanted: new Map(), isInUse: () => false });
    await addChange('25');
    await store.store(subscriptionId, String(BigInt(lease) + 1n), progressTo(at('26')));

    expect((await store.claim(subscriptionId, notes))?.waiting).toMatchObject([{ item: 'note/1', position: at('25') }]);
  });

  it.each([
    ['all of them', undefined, ['headers.X-Key']],
    ['one of them', { 'X-Key': null, 'X-More': 'm1' }, ['headers.X-Key']],
  ])('are values of header fields that no other origin gets: %s', async (_name, headers, paths) => {
    const { id, secret } = await create();
    const change = headers === undefined ? {} : { headers };

    for (const url of ['https://other.example/', 'http://example.com/', 'https://example.com:8443/']) {
      await expect(webhooks.within(database.plugins).update(id, { url, ...change })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: paths.map((path) => expect.objectContaining({ path })),
      });
    }
    expect(
      (await webhooks.within(database.plugins).update(id, { url: 'https://EXAMPLE.com:443/moved', ...change }))
        .previousUrl,
    ).toBe('https://example.com/');
    await webhooks.within(database.plugins).update(id, { url: 'https://other.example/', headers: {} });
    expect(await webhooks.target(id)).toMatchObject({ url: 'https://other.example/', headers: {}, secrets: [secret] });
  });

  it('are values of header fields for the origin that they were given for, also with two changes at the same time', async () => {
    const [here, there] = ['https://here.example/hooks', 'https://there.example/hooks'];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { id } = await create();
      await webhooks.within(database.plugins).update(id, { url: here, headers: { 'X-Key': 'of here' } });
      const changes = await Promise.allSettled([
        webhooks.within(database.plugins).update(id, { url: there, headers: { 'X-Key': 'of there' } }),
        webhooks.within(database.plugins).update(id, { headers: { 'X-Key': null } }),
      ]);

      expect(changes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await webhooks.target(id)).toMatchObject({ url: there, headers: { 'X-Key': 'of there' } });
    }
  });

  it('is a gap where changes are removed that were not delivered, and only there', async () => {
    const behind = await create(at('1'));
    const passed = await create(at('3'));
    for (const number of ['2', '3', '4']) await addChange(number);
    await withClient({ connectionString: test.url }, async (client) =>
      subscriptionEvents.trimmed?.(client, { table: 'gantry_change', condition: 'c.sequence < 4' }),
    );

    expect((await webhooks.get(behind.id)).gapSince).toBe('2026-01-02T00:00:00.000Z');
    expect((await webhooks.get(passed.id)).gapSince).toBeNull();
    expect((await webhooks.setState(behind.id, 'active')).gapSince).toBeNull();
  });

  it('are secrets that only the key opens, also after the key was changed', async () => {
    const { id, secret } = await create();
    const next = await webhooks.within(database.plugins).rotateSecret(id);
    const sealed = await database.plugins.query('SELECT encrypted_secret, encrypted_headers FROM gantry_webhook');
    expect(JSON.stringify(sealed)).not.toContain(secret);

    box.addKey();
    expect((await resealWebhooks(database.plugins, box)).every(Boolean)).toBe(true);
    box.addKey();
    box.dropOldKeys();
    expect(await webhooks.target(id)).toMatchObject({ secrets: [next, secret], headers: { 'X-Key': 'value' } });
  });

  async function addChange(number: string): Promise<void> {
    await database.plugins.query(
      `INSERT INTO gantry_change (transaction_id, sequence, written_by, at, item_table, item_id, version, action, actor, source, values)
       VALUES ($1::text::bigint, $1::text::bigint, 1, ('2026-01-' || lpad($1::text, 2, '0') || 'T00:00:00Z')::timestamptz, 'notes_note', 1, 1, 'updated', 'local', 'rest', '{}')`,
      [number],
    );
  }

  async function create(position: Position = at('1')) {
    const webhook = await webhooks.within(database.plugins).create(
      {
        name: 'Test',
        url: 'https://example.com/',
        types: [],
        actions: [],
        filter: [],
        headers: { 'X-Key': 'value' },
      },
      position,
      'user:1',
    );
    return { id: webhook.id, secret: webhook.secret, subscriptionId: await webhooks.subscriptionOf(webhook.id) };
  }
});

function at(number: string): Position {
  return ['1', number, number];
}

function progressTo(cursor: Position): Progress {
  return { ...nothing, changes: { cursor, waiting: [], settled: [], givenUp: [] } };
}
