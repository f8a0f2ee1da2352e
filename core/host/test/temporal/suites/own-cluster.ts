import { callTemporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { eventually } from '../../../../../test/support/eventually';
import { createServiceWorkers, type ServiceWorkers } from '../../../src/temporal/service-workers';
import { readTemporalSettings } from '../../../src/temporal/settings';
import { createTemporalAccess, type TemporalAccess } from '../../../src/temporal/temporal-access';
import type { HealthPart } from '@gantry/core-http';
import { freePort } from '../../../../../test/support/free-port';
import type { DevServer } from '../support/dev-server';
import { guardCluster, type GuardedCluster } from '../support/guarded-cluster';
import { pluginWith, silent } from '../support/sample-service';

const apiKey = 'a-key-of-the-cluster';
/** Calls of the order services. */
const calls: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['a start', ({ workflow }) => workflow.start('work', { workflowId: 'one', taskQueue: 'work-tq' })],
  ['a signal', ({ workflow }) => workflow.getHandle('one').signal('go')],
  ['a description', ({ workflow }) => workflow.getHandle('one').describe()],
  ['a history', ({ workflow }) => workflow.getHandle('one').fetchHistory()],
  [
    'a list',
    ({ workflowService, options }) => workflowService.listWorkflowExecutions({ namespace: options.namespace }),
  ],
];

export function describeOwnCluster(server: () => DevServer): void {
  let cluster: GuardedCluster;
  const started: ServiceWorkers[] = [];

  beforeAll(async () => {
    await server().start();
    await server().createNamespace('store-front');
    cluster = await guardCluster(server().address, apiKey);
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.stop()));
  });

  afterAll(() => cluster.close());

  describe('a cluster of TEMPORAL_ADDRESS', () => {
    it('is used through TLS, with an API key and in its namespace', async () => {
      const { health, worker } = await use(settingsOf({}));

      await expectSoon(health, { name: 'temporal', status: 'up' });
      await expectSoon(worker, { name: 'worker work-tq', status: 'up' });
    });

    it('that refuses the API key is named with the variables to correct', async () => {
      const { health, worker } = await use(settingsOf({ TEMPORAL_API_KEY: 'another' }));

      const message = expect.stringMatching(
        new RegExp(
          `${cluster.address} .*"store-front"\\. .* TEMPORAL_API_KEY, .* TEMPORAL_TLS_CLIENT_CERT_PATH, or TEMPORAL_NAMESPACE\\.$`,
        ),
      ) as string;
      await expectSoon(health, { name: 'temporal', status: 'degraded', message });
      expect(worker().status).toBe('degraded');
    });

    it('without the namespace is named with the command that makes it', async () => {
      const { health, worker } = await use(settingsOf({ TEMPORAL_NAMESPACE: 'store' }));

      const message = expect.stringMatching(
        new RegExp(
          `${cluster.address} .*"store"\\. .*namespace create --namespace store\\), .* TEMPORAL_NAMESPACE\\.$`,
        ),
      ) as string;
      await expectSoon(health, { name: 'temporal', status: 'degraded', message });
      await expectSoon(worker, { name: 'worker work-tq', status: 'degraded', message });
    });

    it('that does not answer is named with what to do, and the start does not wait for it', async () => {
      const address = `127.0.0.1:${await freePort()}`;
      const { health, worker } = await use({ TEMPORAL_ADDRESS: address });

      expect((await health()).message).toMatch(
        new RegExp(` ${address} \\(TEMPORAL_ADDRESS\\) does not answer\\..* TEMPORAL_TLS `),
      );
      expect(worker()).toMatchObject({ status: 'degraded', message: expect.stringContaining('Temporal') as string });
    });
  });

  describe.each([
    ['does not have the namespace', { TEMPORAL_NAMESPACE: 'store' }],
    ['refuses the API key', { TEMPORAL_API_KEY: 'another' }],
  ])('a cluster that %s', (_, changes) => {
    let access: TemporalAccess;
    beforeAll(() => {
      access = createTemporalAccess(readTemporalSettings(settingsOf(changes)));
    });
    afterAll(() => access.close());

    it.each(calls)('has %s answered as UNAVAILABLE, with where to look', async (_name, call) => {
      await expect(callTemporal(access, call)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('GET /readyz') as string,
        headers: { 'Retry-After': '5' },
      });
    });
  });

  describe('without TEMPORAL_ADDRESS', () => {
    it('the health says how to get a Temporal', async () => {
      const access = createTemporalAccess(readTemporalSettings({}));

      expect((await access.health()).message).toMatch(/^No Temporal is connected\. Start with `gantry up`/);
    });
  });

  function settingsOf(changes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return {
      TEMPORAL_ADDRESS: cluster.address,
      TEMPORAL_NAMESPACE: 'store-front',
      TEMPORAL_API_KEY: apiKey,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: cluster.authorityFile,
      ...changes,
    };
  }

  async function use(environment: Readonly<Record<string, string>>) {
    const settings = readTemporalSettings(environment);
    const work = (word: string): Promise<string> => Promise.resolve(word);
    const plugins = [pluginWith('working', { taskQueue: 'work-tq', activities: () => ({ work }) })];
    const workers = createServiceWorkers({ settings, plugins, logger: silent });
    started.push(workers);
    await workers.start();
    return {
      worker: (): HealthPart => workers.health()[0] ?? { name: 'none', status: 'down' },
      health: async (): Promise<HealthPart> => {
        const access = createTemporalAccess(settings);
        return access.health().finally(() => access.close());
      },
    };
  }
}

/** Asks until this is the answer: on a busy machine one takes longer than the second that it is given at most. */
async function expectSoon(ask: () => HealthPart | Promise<HealthPart>, wanted: HealthPart): Promise<void> {
  let found: HealthPart | undefined;
  const isFound = async (): Promise<boolean> => {
    found = await ask();
    // The wanted answer may have patterns, which only `expect` compares.
    expect(found).toEqual(wanted);
    return true;
  };
  await eventually(isFound).catch(() => undefined);
  expect(found).toEqual(wanted);
}
