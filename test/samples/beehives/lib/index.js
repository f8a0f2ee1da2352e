import { definePlugin } from '@gantry/plugin-api';
import { z } from 'zod';
import { Hive } from './hive.js';

export { Hive };

const settings = z.object({
  lightKilograms: z.number().min(0).max(100).default(5).meta({ title: 'Light hive', description: 'Kilograms below which a hive needs food.' }),
  unit: z.enum(['kg', 'lb']).default('kg').meta({ title: 'Unit' }),
  scaleToken: z.string().min(8).optional().meta({ title: 'Token of the scale', secret: true }),
});

export default definePlugin({
  id: 'beehives',
  itemTypes: [Hive],
  settings,
  seeds: [{ name: 'first-hive', type: 'hive', by: ['name'], rows: [{ name: 'Nucleus', kilograms: 6 }] }],
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
  async health(context) {
    const { lightKilograms } = context.settings.get(settings);
    const light = await context.items.of(Hive).count({ kilograms: { lessThan: lightKilograms } });
    const food = light === 0 ? { status: 'up' } : { status: 'degraded', message: `${light} need food` };
    return { status: 'up', parts: [{ name: 'food', ...food }] };
  },
});
