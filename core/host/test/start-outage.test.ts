import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { eventually } from '../../../test/support/eventually';
import { createPluginFolders, type PluginFolders } from '../../../test/support/plugin-folders';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { createSeverableProxy, type SeverableProxy } from '../../../test/support/severable-proxy';
import { parseConfig } from '../src/config';
import { createHost } from '../src/create-host';
import type { Host } from '../src/host-options';

// Jest refuses hooks for imports, which need a thread on Node.js 20; the plugin here is CommonJS.
jest.mock('node:module', () => Object.assign(jest.requireActual<object>('node:module'), { register: () => undefined }));

const limitMs = 1_500;
let folders: PluginFolders;
let database: TestDatabase;
let proxy: SeverableProxy;

beforeAll(async () => {
  folders = await createPluginFolders();
  database = await createTestDatabase();
  proxy = await createSeverableProxy(database.url);
});

afterAll(async () => {
  await proxy.close();
  await database.drop();
  await folders.remove();
});

function start(logger = createRecordedLogger()): Promise<Host> {
  const environment = {
    DATABASE_URL: proxy.url,
    GANTRY_HOME: folders.sources.home,
    GANTRY_PROJECT: folders.root,
    GANTRY_PORT: '0',
    GANTRY_PLUGIN_PATH: join(folders.root, 'plugins'),
  };
  return createHost({
    ...{ config: parseConfig(environment), environment, logger },
    timeouts: { start: limitMs },
  });
}

/** A plugin whose start writes a file and then runs the code. */
async function addPlugin(id: string, code: string): Promise<string> {
  const begun = join(folders.root, `${id}-begun`);
  const api = JSON.stringify(require.resolve('@gantry/plugin-api'));
  const text = `
    const { definePlugin } = require(${api});
    const { existsSync, writeFileSync } = require('node:fs');
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
    module.exports = definePlugin({
      id: '${id}',
      async start({ database }) {
        writeFileSync(${JSON.stringify(begun)}, '');
        ${code}
      },
    });`;
  await folders.add(id, { files: { 'index.js': text } });
  return begun;
}

async function outage(begun: string, logger: ReturnType<typeof createRecordedLogger>): Promise<void> {
  await eventually(() => existsSync(begun));
  await proxy.sever();
  writeFileSync(`${begun}-outage`, '');
  // The limit has passed twice.
  await new Promise((resolve) => setTimeout(resolve, 2 * limitMs));
  expect(JSON.stringify(logger.lines)).toContain('PostgreSQL does not answer; its time limit waits');
  await proxy.restore();
}

it('the time in which PostgreSQL is unavailable does not count for the start of a plugin, and its further time does', async () => {
  const begun = await addPlugin(
    'patient',
    `while (!existsSync(${JSON.stringify(join(folders.root, 'patient-begun-outage'))})) await pause();
     for (;;) {
       try { await database.query('SELECT 1'); return; } catch { await pause(); }
     }`,
  );
  const hangs = await addPlugin('hangs', 'await new Promise((resolve) => setTimeout(resolve, 600_000).unref());');
  const logger = createRecordedLogger();
  const starting = start(logger);
  // They start by id.
  await outage(hangs, logger);
  await outage(begun, logger);
  const host = await starting;

  expect(host.report.plugins).toMatchObject([
    { id: 'hangs', state: 'failed', problems: [{ phase: 'start', code: 'PLUGIN_TIMEOUT' }] },
    { id: 'patient', state: 'started', problems: [] },
  ]);
  const [failed, started] = host.report.plugins;
  expect(failed?.timings.start).toBeGreaterThan(2 * limitMs);
  expect(started?.timings.start).toBeGreaterThan(2 * limitMs);
  await host.stop();
});
