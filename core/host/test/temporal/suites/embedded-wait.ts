import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedTemporalState } from '@gantry/contracts';
import { eventually } from '../../../../../test/support/eventually';
import { createServiceWorkers, type ServiceWorkers } from '../../../src/temporal/service-workers';
import { readTemporalSettings } from '../../../src/temporal/settings';
import { createTemporalAccess } from '../../../src/temporal/temporal-access';
import type { DevServer } from '../support/dev-server';
import { pluginWith, silent } from '../support/sample-service';

const others = ['obtaining', 'missing', 'failed'] as const;

type State = EmbeddedTemporalState['state'];

interface Starting {
  readonly workers: ServiceWorkers;
  readonly start: Promise<void>;
  report(state: State): void;
}

export function describeEmbeddedWait(server: () => DevServer): void {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-embedded-wait-'));
    await server().kill();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  describe('the health of an embedded Temporal that does not answer', () => {
    it('reports what the launcher knows', async () => {
      const access = createTemporalAccess(settingsOf('known', 'missing'));

      expect(await access.health()).toEqual({
        name: 'temporal',
        status: 'degraded',
        message: 'It is missing. Do something.',
      });
      await access.close();
    });
  });

  // One start of the server for all of them.
  describe('a start that brings up its own Temporal', () => {
    const started: ServiceWorkers[] = [];
    const before = new Map<State, string | undefined>();
    const later = new Map<State, ServiceWorkers>();
    let impatient: string | undefined;
    let waiting: ServiceWorkers;
    beforeAll(async () => {
      const patient = startWorkers('patient');
      waiting = patient.workers;
      for (const state of others) {
        const { workers, start, report } = startWorkers(state);
        report(state);
        await start;
        before.set(state, workers.health()[0]?.status);
        later.set(state, workers);
      }
      const { workers, start } = startWorkers('impatient', 300);
      await start;
      impatient = workers.health()[0]?.status;
      await server().start();
      await patient.start;
    });
    afterAll(() => Promise.all(started.map((workers) => workers.stop())));

    it('waits until the workers poll', () => {
      expect(waiting.health()).toEqual([{ name: 'worker work-tq', status: 'up' }]);
    });

    it('waits no longer than its timeout', () => {
      expect(impatient).toBe('degraded');
    });

    it.each(others)('does not wait while Temporal is %s, and takes it up as soon as it is there', async (state) => {
      expect(before.get(state)).toBe('degraded');
      await eventually(() => later.get(state)?.health()[0]?.status === 'up');
    });

    function startWorkers(name: string, startTimeoutMs?: number): Starting {
      const work = (word: string): Promise<string> => Promise.resolve(word);
      const workers = createServiceWorkers({
        settings: settingsOf(name, 'starting'),
        plugins: [pluginWith('working', { taskQueue: 'work-tq', activities: () => ({ work }) })],
        logger: silent,
        ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
      });
      started.push(workers);
      return { workers, start: workers.start(), report: (state) => reportState(name, state) };
    }
  });

  describe('the health of an embedded Temporal that answers', () => {
    beforeAll(() => server().start());

    it('is up, whatever was reported', async () => {
      const access = createTemporalAccess(settingsOf('other', 'missing'));

      // A busy machine may take longer to answer than a single question waits.
      await eventually(async () => (await access.health()).status === 'up');
      expect(await access.health()).toEqual({ name: 'temporal', status: 'up' });
      await access.close();
    });
  });

  function reportState(name: string, state: State): void {
    writeFileSync(join(folder, name), JSON.stringify({ state, message: `It is ${state}.`, remedy: 'Do something.' }));
  }

  function settingsOf(name: string, state: State) {
    reportState(name, state);
    return readTemporalSettings({
      TEMPORAL_ADDRESS: server().address,
      GANTRY_TEMPORAL_STATE: join(folder, name),
    });
  }
}
