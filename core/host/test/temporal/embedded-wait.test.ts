import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedTemporalState } from '@gantry/contracts';
import { eventually } from '../../../../test/support/eventually';
import { createServiceWorkers, type ServiceWorkers } from '../../src/temporal/service-workers';
import { readTemporalSettings } from '../../src/temporal/settings';
import { createTemporalAccess } from '../../src/temporal/temporal-access';
import { createDevServer, type DevServer } from './support/dev-server';
import { pluginWith, silent } from './support/sample-service';

let folder: string;
let stateFile: string;
let server: DevServer;
const started: ServiceWorkers[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-embedded-wait-'));
  stateFile = join(folder, 'state.json');
  server = await createDevServer();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop()));
  await server.remove();
  rmSync(folder, { recursive: true });
});

describe('a start that brings up its own Temporal', () => {
  it('waits until the workers poll', async () => {
    reportState('starting');
    const workers = createWorkers();
    const start = workers.start();
    await server.start();
    await start;

    expect(workers.health()).toEqual([{ name: 'worker work-tq', status: 'up' }]);
  });

  it('waits no longer than its timeout', async () => {
    reportState('starting');
    const workers = createWorkers(300);
    await workers.start();

    expect(workers.health()[0]?.status).toBe('degraded');
  });

  it.each(['obtaining', 'missing', 'failed'] as const)(
    'does not wait while Temporal is %s, and takes it up as soon as it is there',
    async (state) => {
      reportState('starting');
      const workers = createWorkers();
      const start = workers.start();
      reportState(state);
      await start;
      const before = workers.health()[0]?.status;
      await server.start();

      await eventually(() => workers.health()[0]?.status === 'up');
      expect(before).toBe('degraded');
    },
  );
});

describe('the health of an embedded Temporal', () => {
  it('reports what the launcher knows', async () => {
    reportState('missing');
    const access = createTemporalAccess(settings());

    expect(await access.health()).toEqual({
      name: 'temporal',
      status: 'degraded',
      message: 'It is missing. Do something.',
    });
    await access.close();
  });

  it('is up when it answers, whatever was reported', async () => {
    reportState('missing');
    await server.start();
    const access = createTemporalAccess(settings());

    // A busy machine may take longer to answer than a single question waits.
    await eventually(async () => (await access.health()).status === 'up');
    expect(await access.health()).toEqual({ name: 'temporal', status: 'up' });
    await access.close();
  });
});

function reportState(state: EmbeddedTemporalState['state']): void {
  writeFileSync(stateFile, JSON.stringify({ state, message: `It is ${state}.`, remedy: 'Do something.' }));
}

function settings() {
  return readTemporalSettings({ TEMPORAL_ADDRESS: server.address, GANTRY_TEMPORAL_STATE: stateFile });
}

function createWorkers(startTimeoutMs?: number): ServiceWorkers {
  const work = (word: string): Promise<string> => Promise.resolve(word);
  const plugins = [pluginWith('working', { taskQueue: 'work-tq', activities: () => ({ work }) })];
  const workers = createServiceWorkers({
    settings: settings(),
    plugins,
    logger: silent,
    ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
  });
  started.push(workers);
  return workers;
}
