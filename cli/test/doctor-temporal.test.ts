import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceOf } from '@gantry/core-common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { askUntil } from '../../test/support/ask-until';
import { startLocalTemporal } from '../../test/support/local-temporal';
import { findTemporalCli } from '../../test/support/temporal-binaries';
import type { Check } from '../src/doctor/check';
import { checkTemporal } from '../src/doctor/check-temporal';
import { settingsOf } from '../src/context/command-context';

const project = join(__dirname, '..', '..');
const nowhere = '127.0.0.1:1';
/** A status of gRPC. */
const resourceExhausted = 8;

describe('what gantry doctor says of Temporal', () => {
  let folder: string;
  let cli: string;
  beforeAll(async () => {
    cli = await findTemporalCli();
    folder = mkdtempSync(join(tmpdir(), 'gantry-doctor-'));
    mkdirSync(join(folder, 'home'));
    mkdirSync(join(folder, 'services'));
    for (const name of ['email', 'ops']) {
      symlinkSync(join(project, 'services', name), join(folder, 'services', name), 'junction');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is that nobody needs it where no plugin has a task queue', async () => {
    const checks = await check({ GANTRY_PLUGIN_PATH: join(folder, 'none') });

    expect(checks).toEqual([{ name: 'Temporal', status: 'ok', message: expect.stringMatching(/^not needed/) }]);
  });

  it('names the program that a start would use, with its version', async () => {
    const [program, ...more] = await check({ GANTRY_TEMPORAL_CLI: cli });

    expect(program?.status).toBe('ok');
    expect(program?.message).toMatch(/^\d+\.\d+\.\d+ \(server \d+\.\d+\.\d+\), .*temporal$/);
    expect(more).toEqual([]);
  });

  it('is what to do where a program is named that is none', async () => {
    expect(await check({ GANTRY_TEMPORAL_CLI: '/nowhere/temporal' })).toEqual([
      {
        name: 'Temporal',
        status: 'fail',
        message: expect.stringMatching(/^GANTRY_TEMPORAL_CLI .* \/nowhere\/temporal,/),
        remedy: expect.stringContaining('GANTRY_TEMPORAL_CLI'),
      },
    ]);
  });

  it('is that the first start obtains it where there is none', async () => {
    const [program] = await check({ PATH: '/nowhere', GANTRY_CACHE: '/nowhere' });

    expect(program).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('PATH'),
    });
    expect(program?.remedy).toContain('next start');
  });

  it('is where to look when the server of TEMPORAL_ADDRESS does not answer', async () => {
    expect(await check({ TEMPORAL_ADDRESS: nowhere })).toEqual([
      {
        name: 'Temporal',
        status: 'fail',
        message: expect.stringContaining(` ${nowhere} (TEMPORAL_ADDRESS) `),
        remedy: expect.stringContaining('address'),
      },
    ]);
  });

  it('is the same, after a few attempts in quick succession, of a server that can serve nothing now', async () => {
    let attempts = 0;
    const busy = createServer().on('stream', (stream) => {
      attempts += 1;
      stream.respond({ 'content-type': 'application/grpc', 'grpc-status': resourceExhausted }, { endStream: true });
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(busy.address() as AddressInfo).port}`;
    try {
      expect(await check({ TEMPORAL_ADDRESS: address })).toEqual([
        expect.objectContaining({
          status: 'fail',
          message: expect.stringContaining(` ${address} (TEMPORAL_ADDRESS) `),
        }),
      ]);
      // The retries of the client itself wait so long after such an answer that the three seconds end after two or three.
      expect(attempts).toBeGreaterThan(3);
      expect(attempts).toBeLessThan(6);
    } finally {
      busy.close();
    }
  });

  describe('while a server runs', () => {
    let server: TestWorkflowEnvironment;
    beforeAll(async () => {
      server = await startLocalTemporal();
    });
    afterAll(() => server.teardown());

    it('is its version and namespace, and nothing of workers, as no platform runs', async () => {
      const [found, ...more] = await check({ TEMPORAL_ADDRESS: server.address });

      expect(found?.status).toBe('ok');
      expect(found?.message).toBe(`server ${found?.message.split(' ')[1]} at ${server.address}, namespace default`);
      expect(more).toEqual([]);
    });

    it('is how to make the namespace that it lacks', async () => {
      const [found] = await check({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'shop' });

      expect(found).toMatchObject({
        status: 'fail',
        message: expect.stringContaining(`${server.address} has no namespace "shop"`),
      });
      expect(found?.remedy).toContain('temporal operator namespace create --namespace shop');
    });

    it('names the queues that no worker polls while a platform runs', async () => {
      pretendToRun(folder, { TEMPORAL_ADDRESS: server.address });

      expect((await check({}))[1]).toEqual({
        name: 'Workers',
        status: 'fail',
        message: expect.stringMatching(/^No worker .* email-tq .* plugin email:/),
        remedy: expect.stringMatching(/gantry plugins info email\b.*gantry up --only email$/),
      });

      const stopWorker = await startWorker(server, 'email-tq');
      const found = await askUntil(
        () => check({}),
        ([, workers]) => workers?.status === 'ok',
      );
      expect(found.slice(1)).toEqual([{ name: 'Workers', status: 'ok', message: expect.stringContaining('email-tq') }]);
      await stopWorker();
    });

    it('names a queue of open workflows that nobody polls, while a platform runs', async () => {
      pretendToRun(folder, { TEMPORAL_ADDRESS: server.address });
      const { workflow } = server.client;
      const started = await workflow.start('welcome', { workflowId: 'welcome-1', taskQueue: 'loyality' });
      const found = await askUntil(
        () => check({}),
        (checks) => checks.some(({ name }) => name === 'Workflows'),
      );

      expect(found.at(-1)).toEqual({
        name: 'Workflows',
        status: 'warn',
        message: expect.stringMatching(/ loyality, .* welcome-1\. /),
        remedy: expect.stringContaining('gantry ops terminate welcome-1'),
      });
      await started.terminate();
    });
  });

  async function check(environment: Readonly<Record<string, string>>): Promise<readonly Check[]> {
    const all = {
      PATH: process.env['PATH'],
      GANTRY_HOME: join(folder, 'home'),
      GANTRY_PROJECT: join(folder, 'home'),
      GANTRY_PLUGIN_PATH: join(folder, 'services'),
      ...environment,
    };
    return checkTemporal({ environment: all }, settingsOf({ environment: all }));
  }
});

/** Writes the files of a running platform to the home, with the id of this process. */
function pretendToRun(folder: string, environment: Readonly<Record<string, string>>): void {
  const content = {
    launcher: referenceOf(process.pid),
    servers: {},
    project: join(folder, 'home'),
    databaseUrl: '',
    environment,
    address: 'http://127.0.0.1:1',
    startedAt: '',
  };
  writeFileSync(join(folder, 'home', 'run.json'), JSON.stringify(content));
}

async function startWorker({ nativeConnection }: TestWorkflowEnvironment, taskQueue: string) {
  const activities = { nothing: () => Promise.resolve() };
  const worker = await Worker.create({ connection: nativeConnection, taskQueue, activities });
  const ended = worker.run();
  return () => {
    worker.shutdown();
    return ended;
  };
}
