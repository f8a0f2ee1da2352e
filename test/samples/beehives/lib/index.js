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
  async health({ items }) {
    const lost = await items.of(Hive).count({ kilograms: 0 });
    const scales = lost === 0 ? { status: 'up' } : { status: 'degraded', message: `${lost} weigh nothing` };
    return { status: 'up', parts: [{ name: 'scales', ...scales }] };
  },
});
