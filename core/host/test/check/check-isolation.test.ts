import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PluginCheckLine, PluginCheckReport } from '@gantry/contracts';
import { eventually } from '../../../../test/support/eventually';
import { isRunning } from '../../../../test/support/is-running';
import { checkPlugins } from '../../src/for-commands';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';

let folders: PluginFolders;
beforeEach(async () => {
  folders = await createPluginFolders();
});
afterEach(() => folders.remove());

type Options = Parameters<typeof checkPlugins>[0];

function configOf(): Options['config'] {
  const config = { ...folders.sources, host: '127.0.0.1', port: 0, logLevel: 'silent', bodyLimit: 1024 };
  return config as unknown as Options['config'];
}

async function checkAll(
  ids: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  more: Pick<Options, 'tests'> = {},
): Promise<readonly PluginCheckReport[]> {
  const { reports } = await checkPlugins(
    {
      config: configOf(),
      environment: { PATH: process.env['PATH'], ...environment },
      ...more,
    },
    ids,
  );
  expect(reports.map(({ plugin }) => plugin)).toEqual(ids);
  return reports;
}

/** A program that checks plugins as {@link checkAll} does. */
function checkingScript(ids: readonly string[]): string {
  const options = JSON.stringify({ config: configOf(), environment: { PATH: process.env['PATH'] } });
  const file = join(__dirname, '../../dist/for-commands.js');
  return `require(${JSON.stringify(file)}).checkPlugins(${options}, ${JSON.stringify(ids)})`;
}

async function check(
  environment: Readonly<Record<string, string>> = {},
  more: Pick<Options, 'tests'> = {},
): Promise<PluginCheckReport> {
  const [report] = await checkAll(['wild'], environment, more);
  if (report === undefined) throw new Error('There is no report');
  return report;
}

function line(report: PluginCheckReport | undefined, rule: string): PluginCheckLine | undefined {
  return report?.lines.find((one) => one.rule === rule);
}

describe('code that is checked', () => {
  const secrets = {
    GANTRY_SECRET_KEY: Buffer.from('the-platform-secret-of-32-bytes!').toString('base64'),
    GANTRY_TOKEN: 'token-secret',
    TEMPORAL_API_KEY: 'temporal-secret',
    AWS_SECRET_ACCESS_KEY: 'cloud-secret',
    SMTP_URL: 'smtp://user:mail-secret@mail.example.com',
  };

  it('finds no secret of the platform or of another plugin in its environment', async () => {
    const code = `
      const { readFileSync } = require('node:fs');
      const seen = () => JSON.stringify(process.env) + (process.platform === 'linux' ? readFileSync('/proc/self/environ', 'utf8') : '');
      const { definePlugin } = require('@gantry/plugin-api');
      module.exports = definePlugin({
        id: 'wild',
        config(environment) {
          const secret = /[a-z]+-secret|dGhlLXBsYXRmb3JtLXNlY3JldC/.exec(seen() + JSON.stringify(environment) + process.argv.join());
          if (secret !== null) throw new Error('It sees ' + secret[0]);
          if (environment.WILD_KEY !== 'own-key' || process.env.WILD_KEY !== 'own-key') throw new Error('It misses its own key');
          if (environment.MAPS_KEY !== 'maps-key') throw new Error('It misses a setting that it names');
          return {};
        },
      });`;
    await folders.add('wild', { gantry: { settings: ['MAPS_KEY'] }, files: { 'index.js': code } });

    const report = await check({ ...secrets, WILD_KEY: 'own-key', MAPS_KEY: 'maps-key' });

    expect(report.lines.filter(({ outcome }) => outcome === 'problem')).toEqual([]);
    expect(line(report, 'code/registered')).toMatchObject({ outcome: 'ok' });
    expect(line(report, 'manifest/settings')?.message).toMatch(/: MAPS_KEY$/);
  });

  it('is told which settings it would have to name, where it names none and misses one', async () => {
    const config = (key: string): string =>
      `config({ ${key} }) { if (${key} === undefined) throw new Error('${key} is not set'); return {} }`;
    await folders.add('wild', { files: { 'index.js': definitionOf('wild', config('MAPS_KEY')) } });
    await folders.add('tame', {
      gantry: { settings: ['CHARTS_KEY'] },
      files: { 'index.js': definitionOf('tame', config('CHARTS_KEY')) },
    });
    const [unnamed, named] = await checkAll(['wild', 'tame'], { MAPS_KEY: 'maps-key' });

    expect(unnamed?.outcome).toBe('warning');
    expect(line(unnamed, 'code/settings')).toMatchObject({
      message: expect.stringContaining('MAPS_KEY is not set') as string,
      remedy: expect.stringContaining('gantry.settings') as string,
    });
    expect(line(named, 'code/config-invalid')).toMatchObject({ outcome: 'problem', code: 'CONFIG_INVALID' });
  });

  it('is ended in an endless loop when the process that checks it is killed', async () => {
    const trace = join(folders.root, 'trace');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, String(process.pid)); for (;;);`;
    await folders.add('wild', { files: { 'index.js': code } });
    const checking = spawn(process.execPath, ['-e', checkingScript(['wild'])], { stdio: 'ignore' });
    await eventually(() => existsSync(trace) && readFileSync(trace, 'utf8') !== '');
    const checked = Number(readFileSync(trace, 'utf8'));
    expect(isRunning(checked)).toBe(true);

    checking.kill('SIGKILL');

    await eventually(() => !isRunning(checked));
  });

  describe('and calls the network', () => {
    let server: Server;
    let requests = 0;
    let port = 0;
    beforeAll(async () => {
      server = createServer((_request, response) => {
        requests += 1;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));
    beforeEach(() => {
      requests = 0;
    });

    const code = (): string => `
      import { definePlugin } from '@gantry/plugin-api';
      await fetch('http://127.0.0.1:${port}');
      export default definePlugin({ id: 'wild' });`;

    it.each([[[]], [['127.0.0.1']]])(
      'reaches it, whatever hosts its manifest names, and the report says so',
      async (network) => {
        const json = { type: 'module' };
        await folders.add('wild', { gantry: { network }, json, files: { 'index.js': code() } });

        const report = await check();

        expect(requests).toBe(1);
        expect(line(report, 'code/network')).toMatchObject({
          outcome: 'ok',
          message: expect.stringContaining('The network was open') as string,
        });
        expect(line(report, 'manifest/network')?.message.endsWith(': 127.0.0.1') ?? false).toBe(network.length > 0);
      },
    );

    it.each(['https://api.example.com', 'api.example.com:443', ''])('cannot name %j as a host', async (host) => {
      await folders.add('wild', { gantry: { network: [host] } });

      expect(line(await check(), 'manifest/manifest-invalid')?.message).toContain('gantry.network');
    });
  });
});

describe('a package that is checked', () => {
  it('is described by its size, its scripts and its native code, its own packages included', async () => {
    const trace = join(folders.root, 'trace');
    await folders.add('wild', {
      json: { scripts: { test: `touch ${trace}`, postinstall: 'node build.js' } },
      files: {
        'index.js': definitionOf('wild'),
        'node_modules/fast/package.json': JSON.stringify({ name: 'fast', scripts: { install: 'node-gyp rebuild' } }),
        'node_modules/fast/build/fast.node': 'x'.repeat(5_000),
        'data/package.json': JSON.stringify({ scripts: { install: 'no package of npm' } }),
      },
    });
    await folders.add('tame');

    const [wild, tame] = await checkAll(['wild', 'tame']);

    expect(line(wild, 'package/size')?.message).toMatch(/^5 files, 6 kB$/);
    expect(line(wild, 'package/install-scripts')?.details).toEqual([
      `${join('node_modules', 'fast', 'package.json')}: install: node-gyp rebuild`,
      'package.json: postinstall: node build.js',
    ]);
    expect(line(wild, 'package/native-code')?.details).toEqual(['node_modules/fast/build/fast.node']);
    // Its tests are run when that is asked for only.
    expect(line(wild, 'code/registered')).toMatchObject({ outcome: 'ok' });
    expect(wild?.lines.some(({ rule }) => rule.startsWith('code/tests'))).toBe(false);
    expect(existsSync(trace)).toBe(false);
    // Facts that a package does not have are left out.
    expect(tame?.lines.filter(({ part }) => part === 'package').map(({ rule }) => rule)).toEqual([
      'package/location',
      'package/size',
    ]);
  });
});

describe('the tests of a package', () => {
  const tests = (script: string, code = definitionOf('wild')) => ({
    json: { scripts: { test: 'node test.js' } },
    files: { 'index.js': code, 'test.js': script },
  });

  it('are run in its folder when that is asked for, with the environment of a check, and their outcome is reported', async () => {
    const trace = join(folders.root, 'trace');
    const script = `
      if (process.cwd() !== __dirname) throw new Error('elsewhere');
      if (process.env.WILD_KEY !== 'own-key') throw new Error('It misses its own key');
      if (process.env.SMTP_URL !== undefined || process.env.DATABASE_URL !== undefined) throw new Error('It sees a secret');`;
    const failing = "console.log('one passed'); console.error('\\u001b[31mtwo failed'); process.exitCode = 3";
    const warn = (text: string): string =>
      `process.emitWarning('${text}', { type: 'DeprecationWarning', code: 'GANTRY_DEP900' });`;
    await folders.add('wild', tests(script));
    await folders.add('failing', tests(failing, definitionOf('failing')));
    await folders.add('old', tests(warn('in tests').repeat(2), `${warn('in code')}${definitionOf('old')}`));
    await folders.add('untested');
    await folders.add(
      'broken',
      tests(`require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`, 'module.exports = 7'),
    );
    const environment = { WILD_KEY: 'own-key', SMTP_URL: 'smtp://mail-secret', DATABASE_URL: 'postgres://secret' };

    const ids = ['wild', 'failing', 'old', 'untested', 'broken'];
    const [passed, failed, old, untested, broken] = await checkAll(ids, environment, { tests: {} });

    expect(line(passed, 'code/tests')).toMatchObject({
      outcome: 'ok',
      message: expect.stringMatching(/\(npm test, \d+\.\d s\)$/) as string,
    });
    expect(line(failed, 'code/tests-failed')).toEqual({
      part: 'code',
      rule: 'code/tests-failed',
      outcome: 'problem',
      code: 'TESTS_FAILED',
      message: expect.stringMatching(/: exit code 3$/) as string,
      remedy: expect.stringContaining('npm test') as string,
      details: expect.arrayContaining(['one passed', 'two failed']) as string[],
    });
    // Both the code and the tests use deprecated parts of the plugin API.
    expect(old?.lines.filter(({ rule }) => rule === 'code/deprecated')).toMatchObject([
      { outcome: 'warning', details: ['GANTRY_DEP900: in code'] },
      { outcome: 'warning', details: ['GANTRY_DEP900: in tests'] },
    ]);
    // They are missed where there are none, and not run for a plugin that cannot be enabled.
    expect(line(untested, 'code/tests-missing')).toMatchObject({ outcome: 'warning' });
    expect(broken?.outcome).toBe('problem');
    expect(existsSync(trace)).toBe(false);
  });

  it('are ended with all that they have started when they do not finish in time', async () => {
    const trace = join(folders.root, 'trace');
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      require('node:fs').writeFileSync(${JSON.stringify(trace)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    await folders.add('wild', tests(script));

    const report = await check({}, { tests: { timeoutMs: 3_000 } });

    expect(line(report, 'code/tests-failed')?.message).toContain(' 3 seconds');
    await eventually(() => !isRunning(Number(readFileSync(trace, 'utf8'))));
  });
});
