import type { Client, ScheduleSummary } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { startLocalTemporal } from '../support/local-temporal';
import { startTestHost, type TestHost, type TestHostOptions } from '../support/platform';
import { send, sendJson } from '../support/rest-client';

describe('jobs by schedule', () => {
  let database: TestDatabase;
  let port: number;
  let temporal: TestWorkflowEnvironment;
  let host: TestHost;

  beforeAll(async () => {
    port = await freePort();
    database = await createTestDatabase();
    temporal = await startLocalTemporal({ server: { port } });
  });
  afterEach(() => host.stop());
  afterAll(async () => {
    await temporal.teardown();
    await database.drop();
  });

  test('run as their plugin, are counted, and are tried again when they fail', async () => {
    host = await start();
    const { json } = await sendJson(host.address, 'POST', '/api/cms/items/hive', { name: 'Lime' });
    const hive = `/api/cms/items/hive/${json.data.id}`;
    await eventually(async () => (await schedules()).length === 3);

    await trigger('beehives/weigh');
    await eventually(async () => (await send(host.address, hive)).json.data.values.kilograms >= 20);
    await trigger('timer/flaky');
    await eventually(async () => (await metrics()).includes('{plugin="timer",job="flaky",result="done"} 1'));

    const text = await metrics();
    expect(text).toContain('gantry_plugin_beehives_weighings_total{result="weighed"} 2');
    expect(text).toContain('gantry_plugin_job_attempts_total{plugin="timer",job="flaky",result="failed"} 1');
  });

  test('go on in another host when theirs is killed', async () => {
    host = await start();
    await eventually(async () => (await named('timer/long')) !== undefined);
    await trigger('timer/long');
    await eventually(async () => {
      const { pendingActivities = [] } = (await running('timer/long')) ?? {};
      return pendingActivities?.some(({ lastStartedTime }) => lastStartedTime !== null) ?? false;
    });
    process.kill(host.pid, 'SIGKILL');

    host = await start();
    await eventually(async () => (await metrics()).includes('{plugin="timer",job="long",result="done"} 1'));
  });

  test('are paused while their plugin is disabled, and removed with their declaration or their plugin', async () => {
    host = await start({ disabled: ['beehives'] });
    await eventually(async () => (await named('beehives/weigh'))?.state.paused === true);
    expect(await named('timer/flaky')).toMatchObject({ state: { paused: false } });
    await host.stop();

    host = await start({ plugins: ['test/samples/beehives'] });
    await eventually(async () => (await named('beehives/weigh'))?.state.paused === false);
    await eventually(async () => (await schedules()).length === 1);
  });

  async function start(options: Pick<TestHostOptions, 'plugins' | 'disabled'> = {}): Promise<TestHost> {
    return startTestHost({
      plugins: ['test/samples/beehives', 'test/webhooks/fixtures/timer'],
      ...options,
      databaseUrl: database.url,
      environment: { TEMPORAL_ADDRESS: `127.0.0.1:${port}` },
    });
  }

  async function schedules(): Promise<readonly ScheduleSummary[]> {
    const found: ScheduleSummary[] = [];
    for await (const summary of client().schedule.list()) found.push(summary);
    return found;
  }

  async function named(name: string): Promise<ScheduleSummary | undefined> {
    return (await schedules()).find(({ scheduleId }) => scheduleId.endsWith(`-${name}`));
  }

  async function trigger(name: string): Promise<void> {
    const found = await named(name);
    await client()
      .schedule.getHandle(found?.scheduleId ?? name)
      .trigger();
  }

  /** The newest run of a job, as Temporal has it. */
  async function running(name: string) {
    const recent = (await named(name))?.info.recentActions.at(-1);
    return recent && (await client().workflow.getHandle(recent.action.workflow.workflowId).describe()).raw;
  }

  function client(): Client {
    return temporal.client;
  }

  async function metrics(): Promise<string> {
    return (await send(host.address, '/metrics')).text;
  }
});
