import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGantry, type GantryProcess } from '../e2e/support/gantry-process';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';

describe('Ctrl-C while a plugin is still starting', () => {
  let folder: string;
  let database: TestDatabase;
  let running: GantryProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
    database = await createTestDatabase();
    dropSlowPlugin(join(folder, 'plugins', 'slow'), join(folder, 'starting'));
    running = startGantry([], {
      DATABASE_URL: database.url,
      GANTRY_HOME: join(folder, 'home'),
      GANTRY_PROJECT: folder,
      GANTRY_PLUGIN_PATH: join(folder, 'plugins'),
      GANTRY_PORT: '0',
    });
  });
  afterAll(async () => {
    running.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await database.drop();
  });

  it('ends the platform at once, in order and without a banner', async () => {
    await eventually(() => existsSync(join(folder, 'starting')));
    const before = performance.now();

    expect(await running.stop()).toBe(0);
    // The plugin is given twenty seconds for its start, and a host that does not answer thirty to end.
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(running.output()).toMatch(/Stopping [^]*Gantry has stopped\.\n$/);
    expect(running.output()).not.toMatch(/^ *Address/m);
  });
});

/** Its start never ends; that it has begun shows the file. */
function dropSlowPlugin(folder: string, sign: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: 'sample-slow',
    version: '1.0.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id: 'slow', displayName: 'Slow' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const start = `async start() { require('fs').writeFileSync(${JSON.stringify(sign)}, ''); await new Promise(() => {}); }`;
  const code = `module.exports = require('@gantry/plugin-api').definePlugin({ id: 'slow', ${start} });`;
  writeFileSync(join(folder, 'index.js'), code);
}
