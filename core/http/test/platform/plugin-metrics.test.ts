import type { Logger, MetricDefinition, ServiceContext } from '@gantry/plugin-api';
import { Registry } from 'prom-client';
import { createPluginMetrics } from '../../src/platform/plugin-metrics';

const defined: readonly MetricDefinition[] = [
  { name: 'seats_total', kind: 'counter', help: 'Booked seats.', labels: { level: ['BEGINNER', 'EXPERT'] } },
  { name: 'wait_seconds', kind: 'histogram', help: 'Waiting.', buckets: [1, 10] },
  { name: 'free', kind: 'gauge', help: 'Free courses.', read: async () => 7 },
  { name: 'broken', kind: 'gauge', help: 'Throws.', read: () => Promise.reject(new Error('gone')) },
  { name: 'stuck', kind: 'gauge', help: 'Never answers.', read: () => new Promise(() => undefined) },
];

describe('metrics of plugins', () => {
  const warnings: string[] = [];
  const logger = { warn: (fields: object, text: string) => warnings.push(`${JSON.stringify(fields)} ${text}`) };

  async function shown(work: (metrics: ReturnType<ReturnType<typeof createPluginMetrics>['open']>) => void) {
    const metrics = createPluginMetrics();
    const registry = new Registry();
    work(metrics.open('night-school', defined, logger as unknown as Logger));
    metrics.addTo(registry, () => (code) => code({} as ServiceContext));
    const first = await registry.metrics();
    expect(first).toContain('gantry_plugin_night_school_free 7');
    // Failures are in what is read next.
    return (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#') && line !== '');
  }

  beforeEach(() => warnings.splice(0));

  it('have the id of their plugin in their names, and only labels that are declared', async () => {
    const lines = await shown(({ add, observe }) => {
      add('seats_total', 1, { level: 'EXPERT' });
      add('seats_total', 2, { level: 'of a user', user: '7' });
      observe('wait_seconds', 3);
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        'gantry_plugin_night_school_seats_total{level="EXPERT"} 1',
        'gantry_plugin_night_school_seats_total{level="other"} 2',
        'gantry_plugin_night_school_wait_seconds_bucket{le="10"} 1',
        'gantry_plugin_night_school_free 7',
      ]),
    );
  });

  it('are shown without those that cannot be read, within a second each time', async () => {
    const startedAt = performance.now();
    const lines = await shown(() => undefined);
    expect(performance.now() - startedAt).toBeLessThan(2_900);
    expect(lines.filter((line) => line.includes('free') || line.includes('failures'))).toEqual(
      expect.arrayContaining([
        'gantry_plugin_night_school_free 7',
        expect.stringMatching(/^gantry_plugin_metric_failures_total.plugin="night-school",metric="broken". [12]$/),
      ]),
    );
    expect(lines.filter((line) => /_broken |_stuck /.test(line))).toEqual([]);
    expect(warnings.filter((line) => line.includes('could not be read'))).toHaveLength(2);
  });

  it('with labels are shown without values that cannot be read, too', async () => {
    const metrics = createPluginMetrics();
    const registry = new Registry();
    const labels = { level: ['BEGINNER'] };
    let value: number | undefined = 3;
    const read = async () => {
      if (value === undefined) throw new Error('gone');
      return [{ labels: { level: 'BEGINNER' }, value }];
    };
    metrics.open('school', [{ name: 'free', kind: 'gauge', help: 'Free.', labels, read }], logger as unknown as Logger);
    metrics.addTo(registry, () => (code) => code({} as ServiceContext));
    expect(await registry.metrics()).toContain('gantry_plugin_school_free{level="BEGINNER"} 3');
    value = undefined;
    expect(await registry.metrics()).not.toContain('gantry_plugin_school_free{');
  });

  it('ignore a wrong name, kind or value, and log it once', async () => {
    await shown(({ add, set }) => {
      for (let times = 0; times < 3; times += 1) {
        add('seat', 1);
        set('seats_total', 1);
        add('seats_total', Number.NaN);
      }
    });
    expect(warnings.filter((line) => line.includes('not recorded'))).toEqual([
      expect.stringContaining('the plugin declares seats_total, wait_seconds'),
      expect.stringContaining('it is a counter, not a gauge'),
    ]);
  });

  it('of two plugins whose names come to the same are shown once', async () => {
    const metrics = createPluginMetrics();
    const registry = new Registry();
    for (const [id, name] of [['a', 'b_c'] as const, ['a-b', 'c'] as const]) {
      metrics.open(id, [{ name, kind: 'counter', help: 'Same.' }], logger as unknown as Logger);
    }
    metrics.addTo(registry, () => (code) => code({} as ServiceContext));
    expect(await registry.metrics()).toContain('gantry_plugin_a_b_c 0');
    expect(warnings).toEqual([expect.stringContaining('another plugin')]);
  });
});
