import { definePlugin, GantryError, route } from '@gantry/plugin-api';
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
  register({ router, items, settings: values }) {
    const hives = items.of(Hive);
    router.add(
      route({
        method: 'GET',
        path: '/beehives/light',
        operationId: 'listLightHives',
        summary: 'Hives that need food',
        access: { permission: 'beehives.feed' },
        answer: z.array(z.object({ id: z.string(), name: z.string(), kilograms: z.number() })),
        handler: async () => {
          const criteria = { kilograms: { lessThan: values.get(settings).lightKilograms } };
          const page = await hives.list(criteria, { sort: 'kilograms', limit: 10 });
          return { data: page.items.map(({ id, name, kilograms }) => ({ id, name, kilograms })) };
        },
      }),
      route({
        method: 'POST',
        path: '/beehives/:id/feed',
        operationId: 'feedHive',
        summary: 'Feed a hive',
        access: { permission: 'beehives.feed' },
        params: z.object({ id: z.string() }),
        body: z.object({ kilograms: z.number().positive().meta({ description: 'Of sugar.' }) }),
        handler: async ({ params: { id }, body }) => {
          const hive = await hives.get(id);
          if (hive === undefined) throw new GantryError('ITEM_NOT_FOUND', `There is no hive ${id}.`);
          await hives.update(id, { kilograms: hive.kilograms + body.kilograms }, { expectedVersion: hive.version });
          return {};
        },
      }),
    );
  },
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
