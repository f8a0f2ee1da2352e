import { rename } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../../../../test/support/eventually';
import type { Hold } from '../../src/common/hold';
import type { HealthPart } from '../../src/common/health-part';
import type { RegisteredPlugin } from '../../src/plugins';
import { createServiceWorkers, type ServiceWorkers } from '../../src/temporal/service-workers';
import { readTemporalSettings } from '../../src/temporal/settings';
import { createDevServer, type DevServer } from './support/dev-server';
import { bundleSampleWorkflow, pluginWith, silent, type SampleBundle } from './support/sample-service';

let server: DevServer;
let bundle: SampleBundle;
let connection: Connection;
const started: ServiceWorkers[] = [];

beforeAll(async () => {
  [server, bundle] = await Promise.all([createDevServer(), bundleSampleWorkflow()]);
  await server.start();
  connection = Connection.lazy({ address: server.address });
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop()));
});

afterAll(async () => {
  await connection.close();
  await server.remove();
  await bundle.remove();
});

describe('the workers of a host', () => {
  it('poll all their queues when the start is over', async () => {
    const workers = await startWorkers([calling(), working(echo)]);

    expect(workers.health()).toEqual([up('call-tq'), up('work-tq')]);
    expect(await callWork('hello')).toBe('hello!');
  });

  it('continue when Temporal was unavailable for a while', async () => {
    const workers = await startWorkers([calling(), working(echo)]);
    await server.kill();
    await server.start();

    expect(await callWork('after')).toBe('after!');
    expect(workers.health()).toEqual([up('call-tq'), up('work-tq')]);
  });

  it('wait as long as the platform is on hold, and nobody waits for them', async () => {
    let hold: Hold | undefined = { since: '2026-01-31T00:00:00.000Z', reason: 'a test' };
    const workers = await startWorkers([calling(), working(echo)], {}, () => hold);
    const onHold = ['call-tq', 'work-tq'].map((queue) => ({
      name: `worker ${queue}`,
      status: 'degraded',
      message: 'It is on hold.',
    }));
    const waiting = callWork('held');

    expect(workers.health()).toEqual(onHold);
    expect(workers.running()).toEqual([]);
    hold = undefined;
    expect(await waiting).toBe('held!');
    expect(workers.health()).toEqual([up('call-tq'), up('work-tq')]);
  });

  it('end with a host that stops while it is on hold', async () => {
    const hold = { since: '2026-01-31T00:00:00.000Z', reason: 'a test' };
    const workers = await startWorkers([calling()], {}, () => hold);

    await workers.stop();

    expect(workers.running()).toEqual([]);
  });

  it('let a running activity finish when the host stops', async () => {
    let finish = (): void => undefined;
    let begun = false;
    const workers = await startWorkers([
      calling(),
      working(async (word) => {
        begun = true;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return `${word} finished`;
      }),
    ]);
    const result = callWork('slow');
    await eventually(() => begun);

    const stopped = workers.stop();
    finish();
    await stopped;

    await startWorkers([calling(), working(() => Promise.reject(new Error('was run again')))]);
    expect(await result).toBe('slow finished');
  });

  it('start by themselves when a Temporal that was unavailable comes back', async () => {
    await server.kill();
    const workers = await startWorkers([working(echo)]);
    const before = workers.health();
    await server.start();

    await eventually(() => workers.health()[0]?.status === 'up');
    expect(before).toEqual([{ name: 'worker work-tq', status: 'degraded', message: 'It waits for Temporal.' }]);
  });

  it('say which namespace is missing, and start by themselves when it is made', async () => {
    const workers = await startWorkers([working(echo)], { TEMPORAL_NAMESPACE: 'shop' });
    const before = workers.health();
    await server.createNamespace('shop');

    await eventually(() => workers.health()[0]?.status === 'up', 30_000);
    expect(before[0]?.message).toBe(
      `The Temporal at ${server.address} has no namespace "shop". ` +
        'Create it (temporal operator namespace create --namespace shop), or correct TEMPORAL_NAMESPACE.',
    );
  });
});

describe('a service that is at fault', () => {
  it('as its bundle is missing, degrades alone and starts by itself when it was built', async () => {
    await rename(bundle.file, `${bundle.file}.away`);
    const workers = await startWorkers([calling(), working(echo)]);
    const before = workers.health();
    await rename(`${bundle.file}.away`, bundle.file);

    await eventually(() => workers.health()[0]?.status === 'up');
    expect(before).toEqual([
      {
        name: 'worker call-tq',
        status: 'degraded',
        message: 'The bundle with the workflows of calling is missing. Build the plugin.',
      },
      up('work-tq'),
    ]);
    expect(await callWork('built')).toBe('built!');
  });

  it('as its bundle is no bundle, degrades alone', async () => {
    const workers = await startWorkers([
      pluginWith('calling', { taskQueue: 'call-tq', workflowsPath: __filename }),
      working(echo),
    ]);

    expect(workers.health()).toEqual([
      { name: 'worker call-tq', status: 'degraded', message: expect.stringMatching(/^The worker of calling ended: /) },
      up('work-tq'),
    ]);
  });

  it('as its activities cannot be made, degrades alone', async () => {
    const workers = await startWorkers([
      calling(),
      pluginWith('working', {
        taskQueue: 'work-tq',
        activities: () => {
          throw new Error('no mail server is named');
        },
      }),
    ]);

    expect(workers.health()).toEqual([
      up('call-tq'),
      {
        name: 'worker work-tq',
        status: 'degraded',
        message: 'The activities of working cannot be created: no mail server is named',
      },
    ]);
  });

  it('as it has no work to offer, degrades alone and says what is missing', async () => {
    const late = (() => Promise.resolve({ echo: () => Promise.resolve('') })) as never;
    const workers = await startWorkers([calling(), pluginWith('working', { taskQueue: 'work-tq', activities: late })]);

    expect(workers.health()).toEqual([
      up('call-tq'),
      {
        name: 'worker work-tq',
        status: 'degraded',
        message:
          'The service of working has neither workflows nor activities. Set workflowsPath, or activities: a synchronous function that returns functions by name.',
      },
    ]);
  });
});

async function startWorkers(
  plugins: readonly RegisteredPlugin[],
  environment: Readonly<Record<string, string>> = {},
  hold: () => Hold | undefined = () => undefined,
): Promise<ServiceWorkers> {
  const settings = readTemporalSettings({ TEMPORAL_ADDRESS: server.address, ...environment });
  const workers = createServiceWorkers({ settings, plugins, logger: silent, hold });
  started.push(workers);
  await workers.start();
  return workers;
}

function calling(): RegisteredPlugin {
  return pluginWith('calling', { taskQueue: 'call-tq', workflowsPath: bundle.file });
}

function working(work: (word: string) => Promise<string>): RegisteredPlugin {
  return pluginWith('working', { taskQueue: 'work-tq', activities: () => ({ work }) });
}

function echo(word: string): Promise<string> {
  return Promise.resolve(`${word}!`);
}

function callWork(word: string): Promise<string> {
  const { workflow } = new Client({ connection });
  return workflow.execute('callWork', { args: [word], taskQueue: 'call-tq', workflowId: `call-${word}-${Date.now()}` });
}

function up(taskQueue: string): HealthPart {
  return { name: `worker ${taskQueue}`, status: 'up' };
}
