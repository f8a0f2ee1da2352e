import { useTestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';

const host = useTestHost({ plugins: ['test/samples/beehives'] });

describe('the sample beehives', () => {
  it('shows what it measures, and how its parts are', async () => {
    await sendJson(host.address, 'POST', '/api/cms/items/hive', { name: 'Lime', kilograms: 0 });

    const metrics = await send(host.address, '/metrics');
    const { json } = await send(host.address, '/readyz');

    expect(metrics.text).toContain('# HELP gantry_plugin_beehives_weighings_total Weighings of hives by result.');
    expect(metrics.text).toContain('gantry_plugin_beehives_hives 1\n');
    expect(json.data.parts).toContainEqual({
      name: 'plugin beehives: food',
      status: 'degraded',
      message: '1 need food',
    });
  });
});
