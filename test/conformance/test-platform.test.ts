import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPlatform, type TestPlatform } from '@gantry/plugin-api/testing';
import { Article } from '@gantry/plugin-articles';
import { Catalog, Product } from '@gantry/plugin-catalog';

const project = join(__dirname, '../..');
const timeout = 180_000;
/** With these, a platform would not start, without the plugin, or with the tasks of another platform. */
const settingsOfPerson = {
  GANTRY_PUBLIC_URL: 'https://cms.example.com',
  GANTRY_ONLY: 'order',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
};

/** As it was built on that version of the plugin API. */
const coursesOf10 = join(project, 'test/compatibility/fixtures/plugins/courses-1.0');

/** As a test of a plugin for version 1.0 uses it. */
interface EarlierClient {
  get(type: string, id: number): Promise<{ readonly status: number }>;
  remove(type: string, id: number): Promise<{ readonly status: number }>;
}

describe('a platform for tests of plugins', () => {
  let scratch: string;
  let platform: TestPlatform;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'gantry-test-plugins-'));
    const clock = pluginFolder('timepiece', routeTo('/timepiece', '{ data: now().toISOString() }'), ['GET /timepiece']);
    platform = await startTestPlatform({ plugins: [join(project, 'plugins/catalog'), clock], project });
  }, timeout);

  afterAll(async () => {
    await platform.stop();
    rmSync(scratch, { recursive: true, force: true });
  }, timeout);

  /** Code that registers a route. */
  function routeTo(path: string, answer: string): string {
    const schema =
      "{ version: 1, vendor: 'test', validate: (value) => ({ value }), jsonSchema: { input: () => ({}) } }";
    const texts = "operationId: 'read', summary: 'Reads', access: 'signed-in'";
    const parts = `${texts}, answer: { '~standard': ${schema} }, handler: async () => (${answer})`;
    return `router.add({ method: 'GET', path: '${path}', ${parts} })`;
  }

  function pluginFolder(id: string, register: string, routes: readonly string[] = []): string {
    const folder = join(scratch, id);
    mkdirSync(folder);
    const gantry = { manifestVersion: 1, id, displayName: id, contributes: { itemTypes: [], taskQueues: [], routes } };
    const peerDependencies = { '@gantry/plugin-api': '^1.0.0' };
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: id, version: '1.0.0', main: './index.js', peerDependencies, gantry }),
    );
    writeFileSync(
      join(folder, 'index.js'),
      `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', register({ router, now }) { ${register} } });`,
    );
    return folder;
  }

  it('reads and writes items by class, as plugins do', async () => {
    const catalogs = platform.items.of(Catalog);
    const { id: catalog, createdAt } = await catalogs.create({ code: 'garden', name: 'Garden' });
    const product = await platform.items
      .of(Product)
      .create({ code: 'spade', name: 'Spade', price: '12.5000', catalog });

    expect(createdAt.getTime()).toBeGreaterThan(0);
    expect(await platform.items.of(Product).find({ code: 'spade' })).toEqual(product);
    expect(await catalogs.count({ name: { contains: 'gard' } })).toBe(1);
    // @ts-expect-error A product needs a catalog.
    await expect(platform.items.of(Product).create({ code: 'rake' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [expect.objectContaining({ path: 'catalog', code: 'REQUIRED' })],
    });
  });

  it('takes an id as a number until 2.0, with a warning for each place that names file and replacement', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { id } = (await platform.http.create('catalog', { code: 'shed', name: 'Shed' })).data;
    const earlier: EarlierClient = platform.http;
    const read = async () => (await earlier.get('catalog', id)).status;

    const statuses = [await read(), await read(), (await platform.http.get('catalog', String(id))).status];
    const removed = await earlier.remove('catalog', id);
    const warnings = [...warn.mock.calls];
    warn.mockRestore();

    expect([...statuses, removed.status]).toEqual([200, 200, 200, 204]);
    const text = expect.stringMatching(
      / id .* deprecated, .* \/.*\/test\/conformance\/test-platform\.test\.ts:\d+:\d+\. .* String\(row\.id\)\.$/,
    ) as string;
    const kind = { type: 'DeprecationWarning', code: 'GANTRY_DEP001' };
    expect(warnings).toEqual([
      [text, kind],
      [text, kind],
    ]);
  });

  it('refuses items of a type that no plugin brings', async () => {
    await expect(platform.items.of(Article).count({})).rejects.toMatchObject({ code: 'TYPE_NOT_FOUND' });
  });

  it('gives plugins the time that the test says, which goes on', async () => {
    const time = async (): Promise<number> =>
      Date.parse((await platform.http.request<string>('GET', '/timepiece')).data);
    await platform.clock.set(new Date('2030-01-01T00:00:00Z'));
    expect((await time()) - Date.parse('2030-01-01T00:00:00Z')).toBeLessThan(60_000);
    await platform.clock.advance(3_600_000);
    expect(await time()).toBeGreaterThanOrEqual(Date.parse('2030-01-01T01:00:00Z'));
    await platform.clock.reset();
    expect(Math.abs((await time()) - Date.now())).toBeLessThan(60_000);
  });

  it('acts as a user with the roles that the test names, and keeps all rights for itself', async () => {
    await platform.items.of(Catalog).create({ code: 'kitchen', name: 'Kitchen' });
    const reader = await platform.as({ roles: ['reader'] });

    expect(await reader.items.of(Catalog).find({ code: 'kitchen' })).toMatchObject({ name: 'Kitchen' });
    await expect(reader.items.of(Catalog).create({ code: 'a', name: 'A' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await reader.http.create('catalog', { code: 'a', name: 'A' })).toMatchObject({ status: 403 });
    expect(await platform.http.create('catalog', { code: 'b', name: 'B' })).toMatchObject({ status: 201 });
    expect((await fetch(new URL('/api/cms/items/types', platform.address))).status).toBe(401);
  });

  it(
    'names what is wrong with a plugin that does not start',
    async () => {
      const folder = pluginFolder('mistaken', routeTo('/elsewhere', '{}'));
      await expect(startTestPlatform({ plugins: [folder], project })).rejects.toThrow(
        /is failed\. CONTRIBUTION_MISMATCH: /,
      );
    },
    timeout,
  );

  it(
    'starts the plugins that one of 1.0 depends on, whose routes answer as they did, without settings of the person who runs it, and names those that are not found',
    async () => {
      Object.assign(process.env, settingsOfPerson);
      const courses = await startTestPlatform({ plugins: [coursesOf10], project });
      for (const name of Object.keys(settingsOfPerson)) delete process.env[name];
      try {
        expect(await courses.items.of(Article).count({})).toBe(0);
        await assertCoursesAnswer(courses);
      } finally {
        await courses.stop();
      }

      const lonely = startTestPlatform({ plugins: [join(project, 'test/samples/broken/missing-dependency')], project });
      await expect(lonely).rejects.toThrow(/depends on the plugin .*: install /);
    },
    timeout,
  );

  it('ends with the process that started it, also before it is ready', async () => {
    const host = fork(join(project, 'core/host/dist/test-main.js'), [], {
      execArgv: [],
      env: { ...process.env, GANTRY_HOME: join(scratch, 'home'), GANTRY_PROJECT: scratch, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const exit = once(host, 'exit');
    const waits = new Promise<void>((resolve) => {
      host.stdout?.on('data', (text: Buffer) => {
        if (text.includes('The start waits for the database')) resolve();
      });
    });
    host.send({ kind: 'start', environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none', GANTRY_PORT: '0' } });
    await waits;
    host.disconnect();
    expect(await exit).toEqual([1, null]);
  });
});

async function assertCoursesAnswer({ http, address }: TestPlatform): Promise<void> {
  const created = await http.create('course', { title: 'Planing', slug: 'planing' });
  expect(created.data.values).toMatchObject({ level: 'BEGINNER', full: false, price: null });
  const free = await fetch(new URL('/courses/free?level=BEGINNER', address));
  expect(await free.json()).toMatchObject({ data: [{ title: 'Planing' }] });
  expect((await fetch(new URL('/courses/free?level=NONE', address))).status).toBe(400);
}
