import { rename } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../../../../../test/support/eventually';
import {
  callTemporal,
  invalidValue,
  signalWithStart,
  signalWorkflow,
  startWorkflow,
  type StartedWorkflow,
} from '@gantry/plugin-api';
import type { Hold } from '@gantry/core-common';
import type { HealthPart } from '@gantry/core-http';
import type { RegisteredPlugin } from '@gantry/core-loader';
import { createServiceWorkers, type ServiceWorkers } from '../../../src/temporal/service-workers';
import { readTemporalSettings } from '../../../src/temporal/settings';
import { createTemporalAccess, type TemporalAccess } from '../../../src/temporal/temporal-access';
import type { DevServer } from '../support/dev-server';
import { bundleSampleWorkflow, pluginWith, silent, type SampleBundle } from '../support/sample-service';

export function describeServiceWorkers(server: () => DevServer): void {
  let bundle: SampleBundle;
  let connection: Connection;
  const started: ServiceWorkers[] = [];

  beforeAll(async () => {
    [bundle] = await Promise.all([bundleSampleWorkflow(), server().start()]);
    connection = Connection.lazy({ address: server().address });
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.stop()));
  });

  afterAll(async () => {
    await connection.close();
    await bundle.remove();
  });

  describe('the workers of a host', () => {
    it('poll all their queues when the start is over', async () => {
      const workers = await startWorkers([calling(), working(echo)]);

      expect(workers.health()).toEqual([up('call-tq'), up('work-tq')]);
      expect(await callWork('hello')).toBe('hello!');
    });

    it('log an activity that failed with its error', async () => {
      const warn = jest.spyOn(silent, 'warn');
      const failure = invalidValue('price', 'price must be a number');
      await startWorkers([calling(), working(() => Promise.reject(failure))]);
      const { workflow } = new Client({ connection });
      const call = { args: ['x'], taskQueue: 'call-tq', workflowId: 'call-that-fails' };
      const handle = await workflow.start('callWork', call);

      await eventually(() => warn.mock.calls.some(([fields]) => 'error' in fields));
      await handle.terminate();
      expect(warn.mock.calls.map(([fields]) => fields)).toContainEqual(
        expect.objectContaining({ source: 'temporal', activityType: 'work', error: failure }),
      );
      warn.mockRestore();
    });

    it('run what their plugin starts and signals, by its own queue', async () => {
      await startWorkers([calling(), working(echo)]);
      const access = createTemporalAccess(readTemporalSettings({ TEMPORAL_ADDRESS: server().address }));
      const own = { ...access, taskQueue: 'call-tq' };
      const { workflow } = new Client({ connection });
      const resultOf = ({ workflowId, runId }: StartedWorkflow) => workflow.getHandle(workflowId, runId).result();

      const started = await startWorkflow(own, 'callWork', { workflowId: 'started', args: ['first'] });
      expect(await resultOf(started)).toBe('first!');
      const once = { workflowId: 'started', args: ['again'], workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
      await expect(startWorkflow(own, 'callWork', once)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
      const signal = { workflowId: 'signalled', signal: 'more', signalArgs: [{ days: 2 }] };
      const signalled = await signalWithStart(own, 'callSignalled', signal);
      await signalWorkflow(own, 'signalled', 'more', 'callSignalled', { args: ['two', 2] });
      await signalWorkflow(own, 'signalled', 'more', 'callSignalled', { args: [null], requestedBy: 'ann' });
      expect(await resultOf(signalled)).toEqual([[{ days: 2 }], ['two', 2], [null]]);
      await expect(startWorkflow(access, 'callWork', { workflowId: 'nowhere' })).rejects.toThrow(
        'contributes.taskQueues',
      );
      await access.close();
    });

    it('wait as long as the platform is on hold, and nobody waits for them', async () => {
      let hold: Hold | undefined = { since: '2026-01-31T00:00:00.000Z', reason: 'a test' };
      const workers = await startWorkers([calling(), working(echo)], {}, () => hold);
      const onHold = ['call-tq', 'work-tq'].map((queue) => ({
        name: `worker ${queue}`,
        status: 'degraded',
        message: expect.stringContaining('on hold') as string,
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

    it('say which namespace is missing, and start by themselves when it is made', async () => {
      const workers = await startWorkers([working(echo)], { TEMPORAL_NAMESPACE: 'shop' });
      const before = workers.health();
      await server().createNamespace('shop');

      await eventually(() => workers.health()[0]?.status === 'up');
      expect(before[0]?.message).toMatch(/"shop"\. .*namespace create --namespace shop\)/);
    });
  });

  describe('a Temporal that was there and is killed', () => {
    // One kill for all of them.
    const lasting: ServiceWorkers[] = [];
    let access: TemporalAccess;
    let running: ServiceWorkers;
    let late: ServiceWorkers;
    let lateBefore: readonly HealthPart[];
    let workflows: number;
    let answers: readonly PromiseSettledResult<void>[];
    let health: HealthPart;
    beforeAll(async () => {
      running = await startWorkers([calling(), working(echo)]);
      access = createTemporalAccess(readTemporalSettings({ TEMPORAL_ADDRESS: server().address }));
      workflows = await callTemporal(access, countWorkflows);
      await server().kill();
      answers = await Promise.allSettled(
        Array.from({ length: 40 }, async (_, index) => {
          await (index % 2 === 0
            ? callTemporal(access, countWorkflows)
            : signalWorkflow(access, 'order-1', 'paymentReceived', 'placeOrder'));
        }),
      );
      health = await access.health();
      late = await startWorkers([pluginWith('late', { taskQueue: 'late-tq', activities: () => ({ work: echo }) })]);
      lateBefore = late.health();
      await server().start();
      lasting.push(...started.splice(0));
    });
    afterAll(async () => {
      await Promise.all(lasting.map((workers) => workers.stop()));
      await access.close();
    });

    it('is reported as UNAVAILABLE to everybody who asks, before the deadline of the call', () => {
      const unavailable = expect.objectContaining({
        code: 'UNAVAILABLE',
        // A call that its deadline ends says that Temporal did not answer within five seconds.
        message: expect.stringContaining('Temporal is unavailable'),
        headers: { 'Retry-After': '5' },
      });
      expect(answers).toEqual(answers.map(() => ({ status: 'rejected', reason: unavailable })));
    });

    it('is reported as degraded to those who ask for its health', () => {
      expect(health).toMatchObject({ name: 'temporal', status: 'degraded' });
    });

    it('is used again as soon as it is back', async () => {
      await eventually(async () => (await access.health()).status === 'up');
      expect(await callTemporal(access, countWorkflows)).toBe(workflows);
    });

    it('has the workers that polled it continue', async () => {
      expect(await callWork('after')).toBe('after!');
      expect(running.health()).toEqual([up('call-tq'), up('work-tq')]);
    });

    it('has workers that were started meanwhile start by themselves when it comes back', async () => {
      expect(lateBefore).toEqual([
        { name: 'worker late-tq', status: 'degraded', message: expect.stringContaining('Temporal') },
      ]);
      await eventually(() => late.health()[0]?.status === 'up');
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
          message: expect.stringMatching(/bundle .* calling is missing/),
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
        {
          name: 'worker call-tq',
          status: 'degraded',
          message: expect.stringMatching(/ calling ended: /),
        },
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
          message: expect.stringMatching(/ working .*: no mail server is named/),
        },
      ]);
    });

    it('as it has no work to offer, degrades alone and says what is missing', async () => {
      const late = (() => Promise.resolve({ echo: () => Promise.resolve('') })) as never;
      const workers = await startWorkers([
        calling(),
        pluginWith('working', { taskQueue: 'work-tq', activities: late }),
      ]);

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
    const settings = readTemporalSettings({ TEMPORAL_ADDRESS: server().address, ...environment });
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

  function callWork(word: string): Promise<string> {
    const { workflow } = new Client({ connection });
    return workflow.execute('callWork', {
      args: [word],
      taskQueue: 'call-tq',
      workflowId: `call-${word}-${Date.now()}`,
    });
  }
}

function up(taskQueue: string): HealthPart {
  return { name: `worker ${taskQueue}`, status: 'up' };
}

function echo(word: string): Promise<string> {
  return Promise.resolve(`${word}!`);
}

async function countWorkflows({ workflowService, options }: Client): Promise<number> {
  return Number((await workflowService.countWorkflowExecutions({ namespace: options.namespace })).count);
}
