import { createTestDatabase } from '../../support/database';
import { startTestHost, useTestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';

const host = useTestHost({ plugins: ['test/samples/beehives'] });

describe('the sample beehives', () => {
  it('shows what it measures, and how its parts are', async () => {
    await sendJson(host.address, 'POST', '/api/cms/items/hive', { name: 'Lime', kilograms: 0 });

    const metrics = await send(host.address, '/metrics');
    const { json } = await send(host.address, '/readyz');

    expect(metrics.text).toContain('# HELP gantry_plugin_beehives_weighings_total Weighings of hives by result.');
    expect(metrics.text).toContain('gantry_plugin_beehives_hives 2\n');
    expect(json.data.parts).toContainEqual({
      name: 'plugin beehives: food',
      status: 'degraded',
      message: '1 need food',
    });
  });

  it('shows its card to callers of its route alone', async () => {
    await sendJson(host.address, 'POST', '/api/cms/items/hive', { name: 'Ash', kilograms: 3 });

    const { json } = await send(host.address, '/api/platform/views');
    const [card] = json.data.homeCards;
    expect(card).toMatchObject({
      plugin: 'beehives',
      name: 'light',
      path: '/beehives/light',
      link: '/content/hive/{id}',
    });
    expect(card.value).toEqual({ name: 'kilograms', title: 'Kilograms', kind: 'number' });
    const rows = await send(host.address, card.path);
    expect(rows.json.data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Ash']));
  });

  it('brings its seed data once, and never again after somebody deleted them', async () => {
    const database = await createTestDatabase();
    const start = () => startTestHost({ plugins: ['test/samples/beehives'], databaseUrl: database.url });
    const path = '/api/cms/items/hive/1';
    let one = await start();
    expect((await send(one.address, path)).json.data.values).toMatchObject({ name: 'Nucleus', kilograms: 6 });
    expect((await send(one.address, path, { method: 'DELETE' })).status).toBeLessThan(300);
    await one.stop();

    one = await start();
    expect((await send(one.address, path)).status).toBe(404);
    await one.stop();
    await database.drop();
  });
});
