import { tmpdir } from 'node:os';
import { contentPlugins, useTestHost } from '../../support/platform';
import { itemsOf, send, sendJson, type Answer } from '../../support/rest-client';

const fixtures = ['fails-at-start', 'fails-at-load', 'depends-on-failed'].map(
  (name) => `test/e2e/rest/fixtures/${name}`,
);
const host = useTestHost({
  plugins: [...contentPlugins, ...fixtures, 'services/ops'],
  disabled: ['events', 'ops'],
});
const items = itemsOf(host);

function everyEndpoint(type: string): Promise<readonly Answer[]> {
  const path = `/api/cms/items/${type}`;
  return Promise.all([
    send(host.address, `${path}/metadata`),
    send(host.address, `${path}/search-metadata`),
    sendJson(host.address, 'POST', `${path}/list`, []),
    sendJson(host.address, 'POST', `${path}/search`, []),
    sendJson(host.address, 'POST', path, {}),
    send(host.address, `${path}/1`),
    sendJson(host.address, 'PATCH', `${path}/1`, {}),
    sendJson(host.address, 'PUT', `${path}/1`, {}),
    send(host.address, `${path}/1`, { method: 'DELETE' }),
  ]);
}

describe('a type of a plugin that is quarantined', () => {
  it.each([
    ['widget', 'fails-at-start', 'START_FAILED'],
    ['gadget', 'fails-at-load', 'LOAD_FAILED'],
    ['dependent', 'depends-on-failed', 'DEPENDENCY_FAILED'],
  ])('%s answers 503 on every endpoint and names the plugin', async (type, plugin, problem) => {
    for (const answer of await everyEndpoint(type)) {
      expect([answer.status, answer.headers['retry-after'], answer.json.error]).toEqual([
        503,
        expect.any(String),
        {
          code: 'UNAVAILABLE',
          message: expect.stringMatching(new RegExp(` ${plugin} .*\\(${problem}\\).* /api/platform/plugins`)),
          requestId: expect.any(String),
        },
      ]);
    }
  });
});

describe('a route of a plugin', () => {
  it.each([
    ['POST', '/gadgets/1/turn'],
    ['GET', '/gadget-pages/a/b.html'],
  ])('that is quarantined before its code could register it answers 503: %s %s', async (method, path) => {
    const { status, json } = await send(host.address, path, { method });

    expect([status, json.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect(json.error.message).toMatch(/ fails-at-load .*\(LOAD_FAILED\)/);
  });

  it('that is disabled answers 404', async () => {
    expect((await send(host.address, '/workflows')).status).toBe(404);
  });
});

describe('a type of a plugin that is disabled', () => {
  it('answers 404 on every endpoint, as if it were not there', async () => {
    for (const answer of await everyEndpoint('event')) {
      expect([answer.status, answer.json.error.code]).toEqual([404, 'TYPE_NOT_FOUND']);
    }
  });
});

describe('the rest', () => {
  it('is served, and the type list names what is served', async () => {
    expect((await items.create('catalog', { code: 'a' })).status).toBe(201);
    const types = (await items.get('types')).json.data.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['article', 'catalog', 'category', 'product', 'promotion', 'trendingarticlecomponent']);
  });

  it('is ready, though degraded, and says why', async () => {
    const ready = await send(host.address, '/readyz');
    expect([ready.status, ready.json.data.status]).toEqual([200, 'degraded']);
    expect(ready.json.data.parts).toEqual([
      { name: 'database', status: 'up' },
      { name: 'changes', status: 'up' },
      { name: 'plugin articles', status: 'up' },
      { name: 'plugin catalog', status: 'up' },
      { name: 'plugin depends-on-failed', status: 'degraded', message: expect.stringContaining('fails-at-start') },
      {
        name: 'plugin fails-at-load',
        status: 'degraded',
        message: expect.stringContaining('the gadget works are closed'),
      },
      {
        name: 'plugin fails-at-start',
        status: 'degraded',
        message: expect.stringContaining('the widget works are closed'),
      },
    ]);
  });

  it('reports the state of every plugin', async () => {
    const { plugins } = (await send(host.address, '/api/platform/plugins')).json.data;
    expect(plugins.map(({ id, state, phase }: Record<string, string>) => [id, state, phase])).toEqual([
      ['articles', 'started', 'start'],
      ['catalog', 'started', 'start'],
      ['depends-on-failed', 'blocked', 'start'],
      ['events', 'disabled', 'validate'],
      ['fails-at-load', 'failed', 'load'],
      ['fails-at-start', 'failed', 'start'],
      ['ops', 'disabled', 'validate'],
    ]);
  });

  it('does not contain the folders of the machine', async () => {
    const paths = ['/readyz', '/api/platform/plugins', '/api/platform/plugins?found=true', '/api/platform/generations'];
    const answers = await Promise.all([
      ...paths.map((path) => send(host.address, path)),
      sendJson(host.address, 'POST', '/api/platform/plugins/fails-at-load/check', {}),
      sendJson(host.address, 'POST', '/api/platform/plugins/fails-at-load/enable', {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 409]);
    expect(answers.filter(({ text }) => text.includes(process.cwd()) || text.includes(tmpdir()))).toEqual([]);
    const plugins = answers[1]?.json.data.plugins as readonly Record<string, string>[];
    expect(plugins.find(({ id }) => id === 'catalog')?.['folder']).toBe('plugins/catalog');
  });

  it('is described by an OpenAPI document without them', async () => {
    const paths = Object.keys((await send(host.address, '/api/openapi.json')).json.paths).join(' ');
    expect(paths).toContain('/api/cms/items/catalog');
    for (const type of ['widget', 'gadget', 'dependent', 'event/']) expect(paths).not.toContain(`items/${type}`);
  });
});
