import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../../test/support/eventually';
import { isRunning } from '../../test/support/is-running';
import { openBench, type Bench } from './support/gantry';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench(['plugins/articles']);
});
afterAll(() => bench.close());

describe('Ctrl-C', () => {
  it.each([
    ['migrate up', ['migrate', 'up'], 'changes are kept'],
    ['items export', ['items', 'export', 'article'], 'incomplete'],
  ])('ends %s while another process brings the schema up to date', async (_what, words, consequence) => {
    const other = new Client({ connectionString: bench.database.url });
    await other.connect();
    try {
      // As schema-lock.ts takes it.
      await other.query('SELECT pg_advisory_lock($1)', [0x67616e747279]);
      const ended = await bench.process(words, { interruptAfter: () => bench.untilSchemaLockAsked() });

      expect(ended).toEqual({
        ...{ code: 130, stdout: '' },
        stderr: expect.stringMatching(`^gantry: Interrupted\\. .*${consequence}.*\\n$`) as string,
      });
    } finally {
      await other.end();
    }
  });

  it('ends a check in which a plugin hangs, together with the process of the plugin', async () => {
    const note = join(bench.home, '..', 'plugin-process');
    const folder = join(bench.home, '..', 'hanging', 'stuck');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(stuckPackage));
    writeFileSync(
      join(folder, 'index.js'),
      `require('node:fs').writeFileSync(${JSON.stringify(note)}, String(process.pid));\nfor (;;);\n`,
    );

    const { code, stderr } = await bench.process(['plugins', 'check', 'stuck'], {
      environment: { GANTRY_PLUGIN_PATH: join(folder, '..') },
      interruptAfter: () => eventually(() => existsSync(note)),
    });

    expect({ code, stderr }).toEqual({ code: 130, stderr: interrupted });
    await eventually(() => !isRunning(Number(readFileSync(note, 'utf8'))));
  });

  it('ends npm, which fetches a package for a check, and leaves no temporary folder', async () => {
    const temporary = join(bench.home, '..', 'fetching');
    mkdirSync(temporary);
    const silent = createServer().listen(0, '127.0.0.1');
    const asked = once(silent, 'request');
    try {
      await once(silent, 'listening');
      const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;

      const { code, stderr } = await bench.process(['plugins', 'check', 'courses@1.0.0'], {
        environment: { TMPDIR: temporary, npm_config_registry: registry, npm_config_cache: join(temporary, 'cache') },
        interruptAfter: async () => void (await asked),
      });

      expect({ code, stderr }).toEqual({ code: 130, stderr: interrupted });
      expect(readdirSync(temporary).filter((name) => name.startsWith('gantry-check-'))).toEqual([]);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('ends the doctor without leaving the database that it tried', async () => {
    const temporary = join(bench.home, '..', 'temporary');
    mkdirSync(temporary);
    const trial = () => readdirSync(temporary).find((name) => name.startsWith('gantry-doctor-'));

    const { code } = await bench.process(['doctor'], {
      environment: { DATABASE_URL: '', TMPDIR: temporary, GANTRY_HOME: join(temporary, 'home') },
      interruptAfter: () => eventually(() => existsSync(join(temporary, trial() ?? '', 'postgres', 'data'))),
    });

    expect(code).toBe(130);
    expect(trial()).toBeUndefined();
  });
});

describe('a reader of the output that ends', () => {
  it('ends an export in order, with the database that was started for it', async () => {
    const own = { DATABASE_URL: '', GANTRY_HOME: join(bench.home, '..', 'own-home') };
    await bench.gantry(['items', 'import', 'article', '-', '--format', 'jsonl'], {
      environment: own,
      input: '{"title":"a"}\n'.repeat(5_000),
    });

    const ended = await bench.process(['items', 'export', 'article'], { environment: own, unread: true });

    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(join(own.GANTRY_HOME, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });
});

const interrupted: unknown = expect.stringMatching(/^gantry: Interrupted\. Nothing .+\n$/);

const stuckPackage = {
  name: 'gantry-plugin-stuck',
  version: '1.0.0',
  main: './index.js',
  keywords: ['gantry-plugin'],
  peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
  gantry: {
    manifestVersion: 1,
    id: 'stuck',
    displayName: 'Stuck',
    contributes: { itemTypes: [], taskQueues: [], routes: [] },
  },
};
