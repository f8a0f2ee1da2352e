import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Webhook as Verifier } from 'standardwebhooks';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { eventually } from '../support/eventually';
import { startLocalTemporal } from '../support/local-temporal';
import { contentPlugins, startTestHost, type TestHost } from '../support/platform';
import { send, sendJson, type Answer } from '../support/rest-client';
import { makeQueuePlugins } from './support/queue-plugins';
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver';

const follower = 'test/webhooks/fixtures/follower';
/** With the queue of the webhooks, these are workers of six queues. */
const queues = makeQueuePlugins(5);

describe('webhooks', () => {
  let temporal: TestWorkflowEnvironment;
  let host: TestHost;
  let receiver: WebhookReceiver;
  let number = 0;

  beforeAll(async () => {
    temporal = await startLocalTemporal();
    host = await startTestHost({
      plugins: [...contentPlugins, ...queues.folders, follower],
      environment: { TEMPORAL_ADDRESS: temporal.address, GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
    });
  });
  afterAll(async () => {
    await host.stop();
    await temporal.teardown();
    queues.remove();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const { id } of (await call('GET', '')).json.data) await call('DELETE', `/${id}`, {});
    await receiver.close();
  });

  test('get each change of an item as a signed CloudEvent', async () => {
    const { id, secret } = await createWebhook({ types: ['catalog'] });
    const item = await createCatalog({ name: 'Tools' });
    await change(item.id, { name: 'Hand tools' });
    await sendJson(host.address, 'DELETE', `/api/cms/items/catalog/${item.id}`, {});

    const requests = await receiver.untilReceived(3);
    const events = requests.map(({ event }) => event);
    expect(events.map(({ type }) => type)).toEqual([
      'gantry.item.created',
      'gantry.item.updated',
      'gantry.item.deleted',
    ]);
    expect(events[1]).toMatchObject({
      specversion: '1.0',
      source: expect.stringMatching(/^urn:gantry:/),
      subject: `catalog/${item.id}`,
      datacontenttype: 'application/json',
      data: { type: 'catalog', id: item.id, version: 2, action: 'updated', source: 'rest', changed: ['name'] },
    });
    expect(events[1].data).toMatchObject({ values: { name: 'Hand tools' }, previous: { name: 'Tools' } });
    for (const { headers, body, event } of requests) {
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
      expect(headers['webhook-id']).toBe(event.id);
      expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    await eventually(async () => (await call('GET', `/${id}`)).json.data.lastDeliveredAt !== null);
    await eventually(async () => (await call('GET', `/${id}/deliveries`)).json.data.length === 3);
    expect((await call('GET', `/${id}/deliveries?limit=1`)).json).toMatchObject({
      data: [{ subject: `catalog/${item.id}`, attempt: 1, delivered: true, status: 204, error: null }],
      meta: { nextBefore: expect.any(String) },
    });
  });

  test('are tried again after a failure with the same id; later changes of the item wait, others go on', async () => {
    const { id } = await createWebhook({ types: ['catalog'] });
    const bad = await createCatalog({ name: 'Bad' });
    let refusals = 0;
    await receiver.untilReceived(1);
    receiver.answer((response, { event }) => {
      if (event.data.id !== bad.id || refusals === 2) return void response.writeHead(204).end();
      refusals += 1;
      response.writeHead(500).end('broken');
    });
    await change(bad.id, { name: 'Worse' });
    await eventually(() => refusals > 0);
    await change(bad.id, { name: 'Worst' });
    const other = await createCatalog({ name: 'Other' });

    const requests = await receiver.untilReceived(6);
    const subjects = requests.map(({ event }) => `${event.data.id === bad.id ? 'bad' : 'other'} ${event.data.version}`);
    expect(subjects.filter((subject) => subject.startsWith('bad'))).toEqual([
      'bad 1',
      'bad 2',
      'bad 2',
      'bad 2',
      'bad 3',
    ]);
    expect(subjects.indexOf('other 1')).toBeLessThan(subjects.lastIndexOf('bad 2'));
    expect(other.id).not.toBe(bad.id);
    const attempts = requests.filter(({ event }) => event.data.id === bad.id && event.data.version === 2);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await eventually(async () => (await call('GET', `/${id}`)).json.data.waiting === 0);
    const log = (await call('GET', `/${id}/deliveries`)).json.data;
    expect(log.find(({ delivered }: { delivered: boolean }) => !delivered)).toMatchObject({
      status: 500,
      error: 'Status 500.',
      answer: 'broken',
    });
  });

  test('pause and resume lose nothing, and a replay sends the same ids again', async () => {
    const { id, position } = await createWebhook({ types: ['catalog'] });
    await call('POST', `/${id}/pause`, {});
    await createCatalog({ name: 'While paused' });
    await createCatalog({ name: 'While paused, too' });
    expect(receiver.received).toEqual([]);
    expect((await call('GET', `/${id}`)).json.data).toMatchObject({ state: 'paused', position });

    await call('POST', `/${id}/resume`, {});
    const first = idsOf(await receiver.untilReceived(2));
    await eventually(async () => (await call('GET', `/${id}`)).json.data.position !== position);
    await call('POST', `/${id}/replay`, { after: position });
    const all = idsOf(await receiver.untilReceived(4));
    expect(new Set(all.slice(2))).toEqual(new Set(first));
    expect(new Set(all).size).toBe(2);
  });

  test('have the signatures of both secrets after a change, and send tests', async () => {
    const { id, secret } = await createWebhook({ headers: { 'X-Key': 'k1' } });
    const { secret: next } = (await call('POST', `/${id}/secret`, {})).json.data;
    expect((await call('POST', `/${id}/test`, {})).json.data).toMatchObject({
      delivered: true,
      status: 204,
      error: null,
    });

    const { headers, body, event } = await receiver.first();
    expect(event.type).toBe('gantry.webhook.test');
    expect(headers['x-key']).toBe('k1');
    for (const one of [secret, next]) {
      expect(() => new Verifier(one).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    const { text, json } = await call('GET', `/${id}`);
    expect(json.data).toMatchObject({ headers: ['X-Key'], earlierSecretUntil: expect.any(String) });
    expect([text.includes('k1'), text.includes(secret), text.includes(next)]).toEqual([false, false, false]);

    const kept = await call('PATCH', `/${id}`, { headers: { 'X-Key': null, 'X-More': 'm1' } });
    expect(kept.json.data.headers).toEqual(['X-Key', 'X-More']);
    await call('POST', `/${id}/test`, {});
    expect(receiver.received[1]?.headers).toMatchObject({ 'x-key': 'k1', 'x-more': 'm1' });
    const refused = await call('PATCH', `/${id}`, { headers: { 'X-Other': null } });
    expect([refused.status, refused.json.error.details[0].path]).toEqual([400, 'headers.X-Other']);
  });

  test('do not send the stored values of header fields to another origin', async () => {
    const { id } = await createWebhook({ headers: { 'X-Key': 'k1', 'X-More': 'm1' } });
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    const refused = await call('PATCH', `/${id}`, { url });
    expect([refused.status, refused.json.error.details.length]).toEqual([400, 2]);
    expect((await call('PATCH', `/${id}`, { url, headers: { 'X-Key': 'k2' } })).status).toBe(200);
    await call('POST', `/${id}/test`, {});
    const { headers } = await receiver.first();
    expect([headers.host?.split(':')[0], headers['x-key'], headers['x-more']]).toEqual(['localhost', 'k2', undefined]);
    const { json } = await send(host.address, '/api/platform/audit?action=webhook-changed&limit=1');
    const origins = { previousOrigin: new URL(receiver.url).origin, origin: new URL(url).origin };
    expect(json.data[0].detail).toEqual({ name: 'Receiver', ...origins });
  });

  test('say how many changes they have not read yet, the last attempt, and what is sent for a change', async () => {
    const { id } = await createWebhook({ types: ['catalog'], headers: { 'X-Key': 'k1' } });
    const first = await createCatalog({ name: 'Read' });
    await receiver.untilReceived(1);
    await eventually(async () => (await call('GET', `/${id}`)).json.data.lastAttempt !== null);
    await call('POST', `/${id}/pause`, {});
    expect((await call('GET', `/${id}`)).json.data).toMatchObject({
      lastAttempt: { delivered: true, status: 204, error: null },
    });
    await createCatalog({ name: 'Not read' });
    await createCatalog({ name: 'Not read, too' });
    await sendJson(host.address, 'POST', '/api/cms/items/article', { code: 'other' });
    expect((await call('GET', '')).json.data).toMatchObject([
      { id, state: 'paused', backlog: 2, backlogSince: expect.stringMatching(/^\d{4}-/) },
    ]);

    const [attempt] = (await call('GET', `/${id}/deliveries`)).json.data;
    const { headers, event } = await receiver.first();
    const sent = (await call('GET', `/${id}/changes/${attempt.position}`)).json.data;
    expect(sent).toEqual({ url: receiver.url, headers: expect.anything(), body: event });
    expect(sent.body.subject).toBe(`catalog/${first.id}`);
    expect(sent.headers).toEqual({
      'X-Key': null,
      'content-type': headers['content-type'],
      'webhook-id': headers['webhook-id'],
      'webhook-timestamp': null,
      'webhook-signature': null,
    });
    expect((await call('GET', `/${id}/changes/1.1.1`)).status).toBe(404);
    expect((await call('GET', `/${id}/changes/now`)).status).toBe(400);
    expect((await call('GET', `/wh_AAAAAAAAAAAAAAAA/changes/${attempt.position}`)).status).toBe(404);
  });

  test('try changes that were given up again, or take them from the list, one or all', async () => {
    const { id } = await createWebhook({ types: ['catalog'] });
    for (const name of ['One', 'Two', 'Three']) await createCatalog({ name });
    await receiver.untilReceived(3);
    await eventually(async () => (await call('GET', `/${id}/deliveries`)).json.data.length === 3);
    await giveUp(id);
    const listed = (await call('GET', `/${id}/undelivered`)).json.data;
    expect(listed).toMatchObject([{ error: 'Status 500.' }, { error: 'Status 500.' }, { error: 'Status 500.' }]);

    expect((await call('POST', `/${id}/discard`, { ids: [listed[0].id] })).json.data.undelivered).toBe(2);
    await call('POST', `/${id}/retry`, { ids: [listed[1].id] });
    const all = await receiver.untilReceived(4);
    expect(all[3]?.headers['webhook-id']).toBe(listed[1].webhookId);
    expect((await call('POST', `/${id}/discard`, {})).json.data.undelivered).toBe(0);
    for (const body of [{ ids: [] }, { ids: ['x'] }, { all: true }]) {
      expect((await call('POST', `/${id}/discard`, body)).status).toBe(400);
    }
  });

  test('deliver to many receivers at once without a warning of the process', async () => {
    const streams = new AbortController();
    for (let index = 0; index < 12; index += 1) {
      await createWebhook({ name: `Receiver ${index}`, types: ['catalog'] });
      await fetch(`${host.address}/api/cms/changes/stream`, { signal: streams.signal });
    }
    // More than a process may listen at one place without the warning, of each.
    await Promise.all(Array.from({ length: 12 }, async (_, index) => createCatalog({ name: `Many ${index}` })));

    await receiver.untilReceived(12 * 12);
    streams.abort();
    expect(host.output()).not.toContain('MaxListenersExceededWarning');
  });

  test('are shown by readiness while no attempt succeeds', async () => {
    receiver.answer((response) => void response.writeHead(503).end());
    await createWebhook({ name: 'Broken' });
    for (let index = 0; index < 4; index += 1) await createCatalog({ name: 'Refused' });

    await eventually(async () => {
      const { parts } = (await send(host.address, '/readyz')).json.data;
      return parts.some(
        (part: { name: string; status: string }) => part.name === 'webhook Broken' && part.status === 'degraded',
      );
    });
  });

  test.each([
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'https://user:word@example.com/' }, 'url'],
    [{ types: ['nothing'] }, 'types'],
    [{ actions: ['left'] }, 'actions[0]'],
    [{ headers: { 'Content-Type': 'text/plain' } }, 'headers.Content-Type'],
    [{ headers: { 'X-Key': 'a\nb' } }, 'headers.X-Key'],
    [{ filter: [{ field: 'name', operator: 'LIKE', value: '' }] }, 'filter[0].operator'],
    [{ types: ['catalog'], filter: [{ field: 'price', operator: 'EQUALS', value: '1' }] }, 'filter[0].field'],
    [{ filter: [{ field: 'nothing', operator: 'EQUALS', value: '' }] }, 'filter[0].field'],
    [{ types: ['product'], filter: [{ field: 'price', operator: 'NOT_EQUALS', value: 'cheap' }] }, 'filter[0].value'],
    [{ name: '' }, 'name'],
  ])('are refused with %j', async (wrong, path) => {
    const { status, json } = await call('POST', '', { name: 'Wrong', url: receiver.url, ...wrong });
    expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_FAILED', path]);
  });

  test('that do not exist are not found, and a replay needs a place', async () => {
    const { id } = await createWebhook();
    expect((await call('GET', '/wh_AAAAAAAAAAAAAAAA')).status).toBe(404);
    expect((await call('POST', '/other/pause', {})).status).toBe(404);
    for (const body of [
      {},
      { after: 'x' },
      { after: '9.9.9' },
      { from: 'yesterday' },
      { from: '0000-01-01T00:00:00Z' },
      { from: '2030-01-01T00:00:00Z', after: '1.1.1' },
    ]) {
      expect((await call('POST', `/${id}/replay`, body)).status).toBe(400);
    }
  });

  test('are managed by commands', async () => {
    const gantry = (...words: readonly string[]) => runGantry([...words, '--url', host.address]);
    const created = await gantry(
      'webhooks',
      'create',
      'By command',
      receiver.url,
      '--type',
      'catalog',
      '--where',
      'name=Wanted',
    );
    expect(created.stdout).toMatch(/^whsec_\S{44}\n$/);
    await createCatalog({ name: 'Unwanted' });
    await createCatalog({ name: 'Wanted' });
    const { event } = await receiver.first();
    expect(event.data.values.name).toBe('Wanted');

    const id = /wh_\S{16}/.exec(created.stderr)?.[0] ?? '';
    await eventually(async () => (await call('GET', `/${id}/deliveries`)).json.data[0]?.delivered === true);
    expect((await gantry('webhooks', 'log', id)).stdout).toContain('delivered');
    expect((await gantry('webhooks', 'list')).stdout).toContain(`${id}  By command  active`);
    expect((await gantry('webhooks', 'pause', id)).stdout).toContain(`Paused ${id}`);
    expect((await gantry('webhooks', 'test', id)).stdout).toContain(' 204');
    expect((await gantry('webhooks', 'delete', id, '--yes')).stdout).toContain(`Deleted ${id}`);
    expect((await call('GET', '')).json.data).toEqual([]);
    const actions = (await send(host.address, '/api/platform/audit?limit=4')).json.data.map(
      (entry: { action: string }) => entry.action,
    );
    expect(actions).toEqual(['webhook-deleted', 'webhook-tested', 'webhook-paused', 'webhook-created']);
  });

  describe('of plugins', () => {
    const path = '/api/platform/subscriptions';
    const id = 'follower/catalogs';
    const read = async (): Promise<Answer['json']> => (await send(host.address, `${path}/${id}`)).json.data;
    const act = (action: string, body: object = {}): Promise<Answer> =>
      sendJson(host.address, 'POST', `${path}/${id}/${action}`, body);

    test('are listed with their types, and have the log of their changes', async () => {
      const item = await createCatalog({ name: 'For the plugin' });
      await eventually(async () => (await read()).lastAttempt?.delivered === true);
      expect((await send(host.address, path)).json.data).toMatchObject([
        {
          id,
          plugin: 'follower',
          name: 'catalogs',
          types: ['catalog'],
          state: 'active',
          undelivered: 0,
          gapSince: null,
        },
      ]);
      await eventually(async () => (await log())[0]?.subject === `catalog/${item.id}`);
      const [attempt] = await log();
      expect(attempt).toMatchObject({ delivered: true, status: null, error: null });
      expect(attempt).not.toHaveProperty('webhookId');
      const change = (await send(host.address, `${path}/${id}/changes/${attempt.position}`)).json.data;
      expect(change).toMatchObject({ type: 'catalog', id: item.id, action: 'created' });
    });

    test('are paused, resumed and replayed', async () => {
      const { position } = await read();
      expect((await act('pause')).json.data).toMatchObject({ id, state: 'paused' });
      await createCatalog({ name: 'While paused' });
      expect(await read()).toMatchObject({ state: 'paused', backlog: 1 });
      expect((await act('resume')).json.data.state).toBe('active');
      await eventually(async () => (await read()).backlog === 0);
      const attempts = (await log()).length;
      await act('replay', { after: position });
      await eventually(async () => (await log()).length > attempts);
    });

    test('are shown by readiness with what they throw, and try again what was given up', async () => {
      await createCatalog({ name: 'Refused by the plugin' });
      await createCatalog({ name: 'Refused by the plugin' });
      await eventually(async () => {
        const { parts } = (await send(host.address, '/readyz')).json.data;
        return parts.some(
          ({ subscription, message = '' }: { subscription?: string; message?: string }) =>
            subscription === id && message.includes('The index is closed.'),
        );
      });
      expect(await read()).toMatchObject({ failingSince: expect.any(String), waiting: 2 });
    });

    test('that do not exist are not found, and one of a plugin that is in use is not deleted', async () => {
      for (const other of ['follower/nothing', 'follower/a%00b', '%E2%80%AE/x', `${'a'.repeat(300)}/b`]) {
        expect((await send(host.address, `${path}/${other}`)).status).toBe(404);
      }
      expect((await sendJson(host.address, 'POST', `${path}/nobody/catalogs/pause`, {})).status).toBe(404);
      const { status, json } = await sendJson(host.address, 'DELETE', `${path}/${id}`, {});
      expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
      expect(json.error.message).toContain('Disable');
    });

    test('are managed by commands', async () => {
      const gantry = (...words: readonly string[]) => runGantry(['subscriptions', ...words, '--url', host.address]);
      expect((await gantry('pause', id)).stdout).toContain(`Paused ${id}`);
      expect((await gantry('list')).stdout).toMatch(new RegExp(`^${id} +paused .* catalog$`, 'm'));
      expect((await gantry('resume', id)).stdout).toContain(`Resumed ${id}: 2 changes waited`);
      expect((await gantry('log', id)).stdout).toContain('The index is closed.');
      const { position } = await read();
      expect((await gantry('replay', id, '--after', position)).stdout).toContain(` ${position}`);
      expect((await gantry('discard', id)).stdout).toContain('Removed the undelivered changes');
    });

    // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of unknown shape
    async function log(): Promise<readonly any[]> {
      return (await send(host.address, `${path}/${id}/deliveries`)).json.data;
    }
  });

  /** As if all attempts had failed for a day. */
  async function giveUp(id: string): Promise<void> {
    const client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO gantry_undelivered_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, error)
       SELECT d.subscription_id, d.epoch, d.transaction_id, d.sequence, d.item, 9, now() - interval '1 day', 'Status 500.'
       FROM gantry_delivery d JOIN gantry_subscription s ON s.id = d.subscription_id WHERE s.name = $1`,
      [id],
    );
    await client.end();
  }

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const address = `/api/platform/webhooks${path}`;
    return body === undefined ? send(host.address, address, { method }) : sendJson(host.address, method, address, body);
  }

  async function createWebhook(more: object = {}): Promise<{ id: string; secret: string; position: string }> {
    const { status, json, text } = await call('POST', '', { name: 'Receiver', url: receiver.url, ...more });
    if (status !== 201) throw new Error(text);
    return json.data;
  }

  async function createCatalog(values: object): Promise<{ id: number }> {
    number += 1;
    const body = { code: `WH${number}`, ...values };
    const { status, json, text } = await sendJson(host.address, 'POST', '/api/cms/items/catalog', body);
    if (status !== 201) throw new Error(text);
    return json.data;
  }

  async function change(id: number, values: object): Promise<void> {
    const { status, text } = await sendJson(host.address, 'PATCH', `/api/cms/items/catalog/${id}`, values);
    if (status !== 200) throw new Error(text);
  }
});

function idsOf(requests: WebhookReceiver['received']): readonly unknown[] {
  return requests.map(({ headers }) => headers['webhook-id']);
}

function runGantry(words: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return promisify(execFile)(process.execPath, [join(__dirname, '../../cli/bin/gantry.js'), ...words]);
}
