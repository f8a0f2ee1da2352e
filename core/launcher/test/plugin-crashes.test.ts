import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GenerationsReport, PluginReport, StartupReport } from '@gantry/contracts';
import { endOuters, startOuter, type Outer } from './support/outer';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { eventually } from '../../../test/support/eventually';

const silenceMs = 5_000;
/** Blocks without processor time for most of that time. */
const block = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${silenceMs - 500})`;

/** Faults of a plugin when its route is called, each in its own plugin. */
const faults = {
  timer: `setTimeout(() => { throw new Error('the timer has thrown'); }, 10)`,
  rejection: `void Promise.reject('no error at all')`,
  socket: `require('node:net').connect(1, '127.0.0.1')`,
  pattern: `setTimeout(() => { ${block}; /^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(60)); }, 10)`,
  memory: `const kept = []; setInterval(() => kept.push(new Array(80_000).fill(1)), 20)`,
  exit: `process.exit(0)`,
  deaf: `process.removeAllListeners()`,
  flood: `for (let i = 0; i < 20000; i += 1) { console.log('boat ' + i); logger.info('boat ' + i); }`,
} as const;
type Fault = keyof typeof faults;

/** Heap of the host, so that memory is full soon. */
const heapMiB = 160;

let folder: string;
let database: TestDatabase;
let environment: Readonly<Record<string, string>>;
let outer: Outer;
let address: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  mkdirSync(join(folder, 'plugins'));
  dropPlugin('sound', '', '');
  for (const [id, code] of Object.entries(faults)) dropPlugin(id, '', code);
  database = await createTestDatabase();
  environment = {
    FIXTURE_REAL_HOST: 'yes',
    FIXTURE_SILENCE_MS: String(silenceMs),
    NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
    DATABASE_URL: database.url,
    GANTRY_PROJECT: folder,
    GANTRY_PLUGIN_PATH: join(folder, 'plugins'),
  };
  await start();
});

afterAll(async () => {
  await endOuters();
  await database.drop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<void> {
  outer = startOuter({ home: join(folder, 'home'), env: environment });
  address = await outer.ready;
}

/** A plugin with the route POST /<id>/run. */
function dropPlugin(id: string, start: string, run: string, load = ''): void {
  const own = join(folder, 'plugins', id);
  mkdirSync(own, { recursive: true });
  const contributes = { itemTypes: [], taskQueues: [], routes: [`POST /${id}/run`] };
  const manifest = {
    name: `sample-${id}`,
    version: '1.0.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: id, contributes },
  };
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  const code = `${load} module.exports = require('@gantry/plugin-api').definePlugin({
    id: '${id}',
    register({ router, logger }) {
      const texts = { operationId: 'run', summary: 'Runs it', access: 'signed-in' };
      router.add({ method: 'POST', path: '/${id}/run', ...texts, async handler() { ${run}; return {}; } });
    },
    async start() { ${start} },
  });`;
  writeFileSync(join(own, 'index.js'), code);
}

async function run(id: string): Promise<number> {
  return (await ask(`/${id}/run`, 'POST')).status;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** On a separate connection: one that was kept may lead to a host that was killed. */
function ask(path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}${path}`, { agent: false, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

/** Messages in the log since, by who wrote them. */
function messagesSince(): (of: 'launcher' | 'host') => string {
  const before = outer.output().length;
  return (of) => {
    const lines = outer.output().slice(before).split('\n');
    const logged = lines.flatMap((line) =>
      line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Logged] : [],
    );
    return logged
      .filter(({ name }) => (name === 'launcher') === (of === 'launcher'))
      .map(({ msg }) => msg)
      .join('\n');
  };
}

interface Logged {
  readonly name?: string;
  readonly msg: string;
}

async function backAfter(work: () => Promise<unknown>): Promise<string> {
  const messages = messagesSince();
  await work().catch(() => undefined);
  await eventually(() => messages('launcher').includes('the host is ready again'), 'the host is ready again');
  return messages('launcher');
}

async function pluginReport(id: string): Promise<PluginReport | undefined> {
  const { data } = JSON.parse((await ask('/api/platform/plugins')).text) as { readonly data: StartupReport };
  return data.plugins.find((plugin) => plugin.id === id);
}

async function generations(): Promise<GenerationsReport> {
  return (JSON.parse((await ask('/api/platform/generations')).text) as { readonly data: GenerationsReport }).data;
}

function decisions(): unknown {
  const file = join(folder, 'home', 'plugin-set.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly plugins: unknown }).plugins : {};
}

describe('a plugin that ends or blocks the host while it serves', () => {
  it.each<[Fault, RegExp]>([
    ['timer', /plugin "timer" crashed .* the timer has thrown \(stack: index\.js:\d+:\d+\)/],
    ['rejection', /plugin "rejection" crashed .*no error at all.* \(asynchronous context: /],
    ['socket', /plugin "socket" crashed .*ECONNREFUSED.* \((?:asynchronous context|stack): /],
    ['pattern', /plugin "pattern" blocked the host process .* \(sample of the main thread: index\.js:\d+:\d+\)/],
  ])('by a fault of the kind %s is named with the evidence, and the host comes back', async (fault, named) => {
    const output = await backAfter(() => run(fault));

    expect(output).toMatch(named);
    expect(await run('sound')).toBe(204);
  });

  it('by filling the heap ends it, and the host comes back', async () => {
    const output = await backAfter(() => run('memory'));

    // The error of V8 names no code: the plugin is named only where its code runs on a main thread that is blocked.
    expect(output).toMatch(
      /host ended unexpectedly .*out of memory|plugin "memory" (?:blocked|crashed) the host process/,
    );
    expect(await run('sound')).toBe(204);
  });

  it('for the second time within ten minutes is left out, and the others continue', async () => {
    const output = await backAfter(() => run('timer'));

    expect(output).toMatch(/\(stack: index\.js:\d+:\d+\) again and is left out/);
    expect([await run('timer'), await run('sound')]).toEqual([503, 204]);
    expect(await pluginReport('timer')).toMatchObject({ state: 'failed', problems: [{ code: 'PLUGIN_CRASHED' }] });
  });
});

describe('a plugin that asks for what only the platform may do', () => {
  it('by process.exit in a route gets an error, and the process continues', async () => {
    const messages = messagesSince();

    expect(await run('exit')).toBe(500);
    expect(await run('sound')).toBe(204);
    expect(messages('launcher')).toBe('');
  });
});

describe('a plugin that floods the log', () => {
  it('does not fill the disk, and the number of lines that were dropped is logged', async () => {
    const messages = messagesSince();

    expect(await run('flood')).toBe(204);
    await eventually(() => /39000 lines of the plugin flood were dropped/.test(messages('host')), 'it is bounded');

    expect(messages('host').split('\n').length).toBeLessThan(1_100);
    expect(await run('sound')).toBe(204);
  });
});

describe('a plugin that crashes after it was enabled', () => {
  it('is out of use again, and its change is reported as undone', async () => {
    // Longer than a busy machine takes from loading the plugin to the host that serves it.
    dropPlugin('late', `setTimeout(() => { throw new Error('too late') }, 3_000);`, '');
    const messages = messagesSince();
    const enabled = await ask('/api/platform/plugins/late/enable', 'POST');
    await eventually(() => messages('launcher').includes('the host is ready again'), 'the host is ready again');

    expect(enabled.status).toBe(202);
    expect(messages('launcher')).toMatch(/plugin "late" crashed .*the plugins before the change are used again/);
    expect(decisions()).toEqual({});
    // The host before may still answer what it has begun.
    await eventually(async () => (await pluginReport('late'))?.problems[0]?.code === 'PLUGIN_CRASHED', 'it is out');
    const { changes } = await generations();
    expect(changes).toMatchObject([{ plugins: ['late'], phase: 'failed', error: { code: 'PLUGIN_CRASHED' } }]);
    expect(await run('sound')).toBe(204);
  });

  it('is left out at the first crash when it was put into the folder before a start, and throws after it was loaded', async () => {
    outer.kill('SIGINT');
    expect((await outer.exit).code).toBe(0);
    rmSync(join(folder, 'plugins', 'late'), { recursive: true });
    dropPlugin('early', '', '', `setTimeout(() => { throw new Error('too early') }, 300);`);
    await start();
    await eventually(async () => (await pluginReport('early'))?.problems[0]?.code === 'PLUGIN_CRASHED', 'it is out');

    const crashes = outer
      .output()
      .split('\n')
      .filter((line) => line.includes('"name":"launcher"') && line.includes(String.raw`the plugin \"early\" crashed`));
    expect(crashes).toEqual([expect.any(String)]);
    // While a host is started again, requests are answered with 503.
    await eventually(async () => (await run('sound')) === 204, 'the other plugins are served');
  });
});

describe('a plugin that removes the listeners of the process', () => {
  it('does not keep the platform from stopping in order', async () => {
    await run('deaf');
    const messages = messagesSince();
    outer.kill('SIGINT');

    expect((await outer.exit).code).toBe(0);
    // It was asked to stop, and not ended by force.
    expect(messages('launcher')).not.toMatch(/does not (finish|end)|is killed/);
  });
});
