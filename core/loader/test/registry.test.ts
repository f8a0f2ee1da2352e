import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../test/support/plugin-folders';
import { reportOf, runRegistry, type RegistryRequest, type RegistryRun } from './support/run-registry';

const samples = join(__dirname, '../../../test/samples');

describe('the plugin registry', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const run = (request: Partial<RegistryRequest> = {}): Promise<RegistryRun> =>
    runRegistry({ sources: folders.sources, ...request });

  it('reports a sound plugin as started, with the time of every phase, and stops it', async () => {
    await folders.add('sound');
    const result = await run();
    expect(reportOf(result, 'sound')).toMatchObject({ state: 'started', phase: 'start', problems: [] });
    expect(Object.keys(reportOf(result, 'sound').timings)).toEqual([
      'discover',
      'validate',
      'order',
      'load',
      'register',
      'link',
      'start',
    ]);
    expect([result.served, result.stopped]).toEqual([
      { sound: 'served', 'unheard-of': 'disabled' },
      { sound: 'stopped' },
    ]);
  });

  it('quarantines every broken sample for its own reason and serves the rest', async () => {
    const names = [
      'after-failed-start',
      'async-register',
      'cycle-first',
      'cycle-second',
      'exits-on-load',
      'exits-on-start',
      'missing-dependency',
      'no-definition',
      'old-api',
      'other-id',
      'throws-on-load',
      'throws-on-register',
      'throws-on-start',
      'undeclared-route',
      'waits-on-load',
      'waits-on-start',
    ];
    for (const name of names) await symlink(join(samples, 'broken', name), join(folders.root, 'plugins', name));
    await folders.add('sound');
    const result = await run({ timeouts: { load: 1000, start: 300 } });
    expect(states(result)).toEqual({
      'after-failed-start': 'blocked DEPENDENCY_FAILED',
      'async-register': 'failed REGISTER_ASYNC',
      'cycle-first': 'failed DEPENDENCY_CYCLE',
      'cycle-second': 'failed DEPENDENCY_CYCLE',
      'exits-on-load': 'failed PLUGIN_EXITED',
      'exits-on-start': 'failed PLUGIN_EXITED',
      'missing-dependency': 'blocked DEPENDENCY_MISSING',
      'no-definition': 'failed NOT_A_PLUGIN',
      'old-api': 'incompatible PLUGIN_API_INCOMPATIBLE',
      'other-id': 'failed PLUGIN_ID_MISMATCH',
      sound: 'started',
      'throws-on-load': 'failed LOAD_FAILED',
      'throws-on-register': 'failed REGISTER_FAILED',
      'throws-on-start': 'failed START_FAILED',
      'undeclared-route': 'failed CONTRIBUTION_MISMATCH',
      'waits-on-load': 'failed PLUGIN_TIMEOUT',
      'waits-on-start': 'failed PLUGIN_TIMEOUT',
    });
    expect(
      new Set(Object.entries(result.served).map(([id, served]) => (id.startsWith('sound') ? id : served))),
    ).toEqual(new Set(['quarantined', 'sound', 'disabled']));
    expect(
      result.reports.flatMap(({ problems }) => problems).every(({ reason, remedy }) => reason !== '' && remedy !== ''),
    ).toBe(true);
  });

  it('has no module of the platform to quarantine', async () => {
    await folders.add('sound');
    const quarantine = { plugin: 'gantry.history', phase: 'start', code: 'PLUGIN_HUNG', reason: 'blocked the host' };
    expect(states(await run({ quarantines: [quarantine] }))).toEqual({ sound: 'started' });
  });

  it('names every difference between manifest and code, and no more', async () => {
    await symlink(join(samples, 'broken/undeclared-route'), join(folders.root, 'plugins/undeclared-route'));
    const { problems } = reportOf(await run(), 'undeclared-route');
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /not name route "GET \/undeclared"\. .* not register, item type "ghost", route "GET \/declared"$/,
      ),
    ]);
  });

  it('names ten of many differences', async () => {
    const itemTypes = Array.from({ length: 120 }, (_, index) => `ghost${index}`);
    await folders.add('many', { gantry: { contributes: { itemTypes } } });
    const [problem] = reportOf(await run(), 'many').problems;
    expect(problem?.code).toBe('CONTRIBUTION_MISMATCH');
    expect(problem?.reason).toMatch(/"ghost9" and 110 more$/);
    expect(problem?.remedy).not.toContain('ghost');
  });

  it('notifies the launcher before and after every run of plugin code', async () => {
    await folders.add('sound', {
      files: {
        'index.js': definitionOf('sound', 'config: () => ({}), register() {}, async start() {}, async stop() {}'),
      },
    });
    const { messages } = await run({ timeouts: { load: 1111, register: 2222, start: 3333, stop: 4444 } });
    expect(messages).toEqual([
      { kind: 'plugins', plugins: [{ id: 'sound', folder: expect.any(String) as string, isRequired: false }] },
      ...pair('load', 1111),
      ...pair('register', 2222),
      ...pair('register', 2222),
      ...pair('start', 3333),
      ...pair('stop', 4444),
    ]);
  });

  it('never runs code of a plugin that an earlier attempt had to give up, and blocks its dependents', async () => {
    await folders.add('hung', { files: { 'index.js': 'globalThis.traces.push("hung ran")' } });
    await folders.add('user', { gantry: { dependsOn: { hung: '*' } } });
    const result = await run({
      quarantines: [{ plugin: 'hung', phase: 'start', code: 'PLUGIN_HUNG', reason: 'blocked the host' }],
    });
    expect(states(result)).toEqual({ hung: 'failed PLUGIN_HUNG', user: 'blocked DEPENDENCY_FAILED' });
    expect(reportOf(result, 'hung')).toMatchObject({
      phase: 'start',
      problems: [{ code: 'PLUGIN_HUNG', reason: expect.stringContaining('blocked the host') }],
    });
    expect(result.traces).toEqual([]);
  });

  it('lets the composition root fail a plugin at link', async () => {
    await folders.add('base', {
      files: { 'index.js': definitionOf('base', 'async start() { globalThis.traces.push("base"); }') },
    });
    await folders.add('user', { gantry: { dependsOn: { base: '*' } } });
    await folders.add('other');
    const problem = { code: 'TYPE_CODE_TAKEN', reason: 'two models on one table', remedy: 'rename it' };
    const result = await run({ fail: [{ plugin: 'base', phase: 'link', problem }] });
    expect(states(result)).toEqual({
      base: 'failed TYPE_CODE_TAKEN',
      other: 'started',
      user: 'blocked DEPENDENCY_FAILED',
    });
    expect(reportOf(result, 'user').problems[0]).toMatchObject({
      phase: 'link',
      reason: expect.stringContaining('two models on one table'),
    });
    expect([result.registered.map(({ id }) => id), result.traces]).toEqual([['other'], []]);
  });

  it('starts after dependencies, stops in reverse, and aborts the signals first', async () => {
    await folders.add('a', { gantry: { id: 'aa', dependsOn: { cc: '*' } }, files: { 'index.js': traced('aa') } });
    await folders.add('bb', { files: { 'index.js': traced('bb') } });
    await folders.add('cc', { files: { 'index.js': traced('cc') } });
    expect((await run()).traces).toEqual(['+cc', '+aa', '+bb', '-bb true', '-aa true', '-cc true']);
  });

  it('stops the others when one fails or hangs in stop, and says so', async () => {
    await folders.add('first', {
      files: { 'index.js': definitionOf('first', 'async stop() { globalThis.traces.push("first"); }') },
    });
    await folders.add('second', {
      files: { 'index.js': definitionOf('second', 'async stop() { throw new Error("no"); }') },
    });
    await folders.add('third', { files: { 'index.js': definitionOf('third', 'stop: () => new Promise(() => {})') } });
    const result = await run({ timeouts: { stop: 200 } });
    expect(result.traces).toEqual(['first']);
    expect(result.stopped).toEqual({ first: 'stopped', second: 'stopped', third: 'stopped' });
  });

  it('aborts the signal of a plugin whose start takes too long', async () => {
    const start =
      'start: ({ signal }) => new Promise(() => signal.addEventListener("abort", () => globalThis.traces.push("aborted")))';
    await folders.add('slow', { files: { 'index.js': definitionOf('slow', start) } });
    expect((await run({ timeouts: { start: 100 } })).traces).toEqual(['aborted']);
  });

  it('gives each plugin its identity, its configuration and a logger with its name', async () => {
    const members = `config: (environment) => ({ greeting: environment.GREETING }),
      async start(context) {
        context.logger.info({ a: 1 }, context.config.greeting);
        globalThis.traces.push(Object.keys(context).sort(), context.plugin, Object.isFrozen(context), context.dataFolder);
      }`;
    await folders.add('polite', { files: { 'index.js': definitionOf('polite', members) } });
    const { traces, lines } = await run({ environment: { GREETING: 'hello' } });
    expect(traces).toEqual([
      [
        'config',
        'dataFolder',
        'database',
        'items',
        'logger',
        'metrics',
        'now',
        'platform',
        'plugin',
        'services',
        'settings',
        'signal',
        'temporal',
      ],
      { id: 'polite', version: '1.0.0' },
      true,
      join(folders.sources.home, 'data', 'polite'),
    ]);
    expect(lines).toContainEqual({ level: 'info', plugin: 'polite', a: 1, message: 'hello' });
  });

  it('reports a configuration that the plugin refuses in its own words', async () => {
    await folders.add('strict', {
      files: { 'index.js': definitionOf('strict', 'config() { throw new Error("STRICT_URL is missing"); }') },
    });
    expect(reportOf(await run(), 'strict').problems).toEqual([
      expect.objectContaining({ code: 'CONFIG_INVALID', phase: 'register', reason: 'STRICT_URL is missing' }),
    ]);
  });

  it('refuses routes that are wrong, doubled or late', async () => {
    const members = `register({ router }) {
        router.route('GET', '/fine', async () => ({}));
        router.route('GET', '/fine', async () => ({}));
        router.route('FETCH', 'bad path', 5);
        router.route('GET', '/sent', async () => ({}), { body: { mediaTypes: ['image/*'], limit: 10 } });
        router.route('POST', '/sent', async () => ({}), { body: { mediaTypes: ['*/*'], limit: 0.5 } });
        router.route('GET', '/asked', async () => ({}), { querry: ['a'], query: 'a' });
        router.mount('/', () => {});
        router.mount('/open', () => {}, { access: 'everyone' });
globalThis.router = router;
      }`;
    const late = `async start() {
        try { globalThis.router.route('GET', '/late', async () => ({})); } catch (error) { globalThis.traces.push(error.message); }
      }`;
    await folders.add('later', { files: { 'index.js': definitionOf('later', late) } });
    await folders.add('routes', { files: { 'index.js': definitionOf('routes', members) } });
    const result = await run();
    expect(reportOf(result, 'routes').problems.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      expect.stringMatching(/^ROUTE_INVALID GET \/fine: .*twice$/),
      expect.stringMatching(/^ROUTE_INVALID FETCH bad path: .*method .* path .* handler /),
      expect.stringMatching(/^ROUTE_INVALID GET \/sent: .*body .* GET$/),
      expect.stringMatching(/^ROUTE_INVALID POST \/sent: .*media types .* limit /),
      expect.stringMatching(
        /^ROUTE_INVALID GET \/asked: .* querry .* schemas, query, body, summary, openapi, access, query .*list/,
      ),
      expect.stringMatching(/^ROUTE_INVALID mount of "\/": .*prefix /),
      expect.stringMatching(/^ROUTE_INVALID mount of "\/open": .*access .* public, items or signed-in$/),
      expect.stringMatching(/^CONTRIBUTION_MISMATCH .* "GET \/fine"/),
    ]);
    expect(result.traces).toEqual([expect.stringContaining('register only')]);
  });

  it('takes routes, mounts and a task queue that the manifest names', async () => {
    const members = `service: { taskQueue: 'KITCHEN' },
      register({ router }) {
        router.route('POST', '/kitchen/orders/:id', async () => ({}));
        router.mount('/kitchen/pages', () => {});
      }`;
    const contributes = { taskQueues: ['KITCHEN'], routes: ['GET /kitchen/pages/*', 'POST /kitchen/orders/:id'] };
    await folders.add('kitchen', { gantry: { contributes }, files: { 'index.js': definitionOf('kitchen', members) } });
    expect((await run()).registered).toEqual([
      { id: 'kitchen', types: [], routes: ['POST /kitchen/orders/:id'], mounts: ['/kitchen/pages'] },
    ]);
  });

  it('refuses a service without queue, or whose workflow bundle was not built', async () => {
    await folders.add('nameless', { files: { 'index.js': definitionOf('nameless', 'service: {}') } });
    await folders.add('unbuilt', {
      files: {
        'index.js': definitionOf('unbuilt', 'service: { taskQueue: "Q", workflowsPath: "/nowhere/bundle.js" }'),
      },
    });
    const result = await run();
    expect(states(result)).toEqual({ nameless: 'failed SERVICE_INVALID', unbuilt: 'failed SERVICE_INVALID' });
  });

  it.each([
    ['"all"', /not a list/],
    ['[{ id: "Index", async handle() {} }]', / number 1 /],
    ['[{ id: "index", types: "note", async handle() {} }]', / number 1 /],
    ['[{ id: "index" }]', / number 1 /],
    ['[{ id: "a", async handle() {} }, { id: "a", async handle() {} }]', /^Two .* id a$/],
  ])('refuses subscriptions that are none: %s', async (subscriptions, reason) => {
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', `subscriptions: ${subscriptions}`) } });
    expect(reportOf(await run(), 'odd').problems).toEqual([
      {
        phase: 'register',
        code: 'SUBSCRIPTION_INVALID',
        reason: expect.stringMatching(reason) as string,
        remedy: expect.stringContaining('{ id, types?, startAt?, handle }') as string,
      },
    ]);
  });

  it.each([
    ['"all"', /not a list/],
    ['[{ types: ["note"] }]', / number 1 /],
    ['[{ types: "note", beforeWrite() {} }]', / number 1 /],
    ['[{ types: ["note"], afterWrite: true }]', / number 1 /],
    ['[{ types: ["note"], beforeWrite() {}, when: "now" }]', / number 1 /],
  ])('refuses write hooks that are none: %s', async (hooks, reason) => {
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', `writeHooks: ${hooks}`) } });
    const expected = { code: 'WRITE_HOOK_INVALID', reason: expect.stringMatching(reason) as string };
    expect(reportOf(await run(), 'odd').problems).toMatchObject([expected]);
  });

  it('refuses write hooks that the manifest does not name', async () => {
    const code = 'writeHooks: [{ types: ["note"], beforeWrite() {}, afterWrite() {} }]';
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', code) } });
    const expected = { code: 'CONTRIBUTION_MISMATCH', reason: expect.stringContaining('"beforeWrite note"') as string };
    expect(reportOf(await run(), 'odd').problems).toMatchObject([expected]);
  });

  it.each([
    ['"all"', /not a list/],
    ['[null]', / number 1 /],
    ['[{ name: "first", async up() {} }, { name: "second" }]', / number 2 /],
  ])('refuses migrations that are none: %s', async (migrations, reason) => {
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', `migrations: ${migrations}`) } });
    expect(reportOf(await run(), 'odd').problems).toEqual([
      {
        phase: 'register',
        code: 'MIGRATION_INVALID',
        reason: expect.stringMatching(reason) as string,
        remedy: expect.stringContaining('{ name, up, backwardCompatible? }') as string,
      },
    ]);
  });

  it('names the required plugins that cannot be used', async () => {
    await folders.add('vital', { gantry: { required: true }, files: { 'index.js': 'throw new Error("no luck")' } });
    await folders.add('sound', { gantry: { required: true } });
    expect((await run()).required).toMatchObject({
      code: 'REQUIRED_PLUGIN_FAILED',
      message: expect.stringMatching(/vital \(.*no luck \(index.js:1:7\)\)$/),
      remedy: 'Fix the plugin',
    });
  });

  it('does not start with a damaged state file, since it cannot know what is disabled', async () => {
    await folders.write('home/plugins.json', '{');
    await expect(run()).rejects.toThrow('PLUGIN_STATE_DAMAGED');
  });

  it('refuses a package that carries a copy of what the host provides, and gives both paths', async () => {
    const folder = await folders.add('heavy', { json: { dependencies: { 'reflect-metadata': '^0.2.0' } } });
    await folders.write('plugins/heavy/node_modules/reflect-metadata/package.json', '{ "name": "reflect-metadata" }');
    expect(reportOf(await run(), 'heavy').problems).toEqual([
      expect.objectContaining({
        code: 'DUPLICATE_MODULE',
        phase: 'load',
        reason: expect.stringMatching(
          new RegExp(`${folder}/node_modules/reflect-metadata; the host's copy is .*/node_modules/reflect-metadata$`),
        ),
        remedy: expect.stringMatching(/peerDependencies and devDependencies .*npm install$/),
      }),
    ]);
  });

  it.each(['devDependencies', 'peerDependencies'])(
    'gives the copy of the host to a package that has one for its %s',
    async (table) => {
      const range = { '@gantry/plugin-api': '^1.0.0' };
      await folders.add('light', { json: { peerDependencies: range, [table]: range } });
      const copy = 'plugins/light/node_modules/@gantry/plugin-api';
      await folders.write(
        `${copy}/package.json`,
        '{ "name": "@gantry/plugin-api", "version": "1.0.0", "main": "./index.js" }',
      );
      await folders.write(`${copy}/index.js`, 'throw new Error("the copy of the plugin was loaded")');
      const { problems, state } = reportOf(await run(), 'light');
      expect([problems, state]).toEqual([[], 'started']);
    },
  );

  it('accepts a link to the very copy of the host', async () => {
    await folders.add('linked');
    await folders.write('plugins/linked/node_modules/.keep', '');
    await symlink(
      join(__dirname, '../../../node_modules/reflect-metadata'),
      join(folders.root, 'plugins/linked/node_modules/reflect-metadata'),
    );
    expect(states(await run())).toEqual({ linked: 'started' });
  });

  it('logs each problem once, with its remedy', async () => {
    await folders.add('user', { gantry: { dependsOn: { gone: '^1.0.0' } } });
    const { lines } = await run();
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        plugin: 'user',
        state: 'blocked',
        code: 'DEPENDENCY_MISSING',
        remedy: expect.any(String),
      }),
    ]);
  });
});

/** State and problem codes by id. */
function states(result: RegistryRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    result.reports.map(({ id, state, problems }) => [id, [state, ...problems.map(({ code }) => code)].join(' ')]),
  );
}

/** Messages to the launcher for one run of plugin code. */
function pair(phase: string, timeoutMs: number): readonly object[] {
  return [
    { kind: 'entering', plugin: 'sound', phase, timeoutMs },
    { kind: 'left', plugin: 'sound', phase },
  ];
}

/** A plugin that leaves a trace when it starts and stops. */
function traced(id: string): string {
  return definitionOf(
    id,
    `async start() { globalThis.traces.push('+${id}'); },
     async stop({ signal }) { globalThis.traces.push('-${id} ' + signal.aborted); }`,
  );
}
