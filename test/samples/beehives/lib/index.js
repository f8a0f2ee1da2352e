import { definePlugin } from '@gantry/plugin-api';
import { Hive } from './hive.js';

export { Hive };

export default definePlugin({
  id: 'beehives',
  itemTypes: [Hive],
  metrics: [
    { name: 'weighings_total', kind: 'counter', help: 'Weighings of hives by result.', labels: { result: ['weighed', 'failed'] } },
    { name: 'hives', kind: 'gauge', help: 'Hives.', read: ({ items }) => items.of(Hive).count({}) },
  ],
  schedules: [
    {
      name: 'weigh',
      cron: '0 * * * *',
      async run({ items, metrics, signal }) {
        for (let after; ; ) {
          const page = await items.of(Hive).list({}, { after });
          for (const { id } of page.items) {
            signal.throwIfAborted();
            await items.of(Hive).update(id, { kilograms: 20 + (Number(id) % 10) });
            metrics.add('weighings_total', 1, { result: 'weighed' });
          }
          after = page.nextCursor;
          if (after === undefined) return;
        }
      },
    },
  ],
  async health({ items }) {
    const lost = await items.of(Hive).count({ kilograms: 0 });
    const scales = lost === 0 ? { status: 'up' } : { status: 'degraded', message: `${lost} weigh nothing` };
    return { status: 'up', parts: [{ name: 'scales', ...scales }] };
  },
});
