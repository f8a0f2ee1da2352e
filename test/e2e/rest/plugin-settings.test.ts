import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { startTestHost, type TestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';

const path = '/api/platform/plugins/beehives/settings';

describe('settings of a plugin', () => {
  let database: TestDatabase;
  let hosts: readonly TestHost[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const start = () =>
      startTestHost({
        plugins: ['test/samples/beehives'],
        databaseUrl: database.url,
        environment: { GANTRY_SECRET_KEY: Buffer.alloc(32, 5).toString('base64') },
      });
    hosts = [await start(), await start()];
  });
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await database.drop();
  });

  const address = (index = 0): string => hosts[index]?.address ?? '';
  const change = (values: object) => sendJson(address(), 'PATCH', path, { values });

  test('are described by their schema, and have their defaults', async () => {
    const { status, json } = await send(address(), path);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ values: {}, secrets: [] });
    expect(json.data.properties).toMatchObject({
      lightKilograms: { type: 'number', title: 'Light hive', default: 5, maximum: 100 },
      unit: { enum: ['kg', 'lb'] },
      scaleToken: { type: 'string', secret: true },
    });
    expect((await send(address(), path.replace('beehives', 'nothing'))).status).toBe(404);
  });

  test('reach the plugin on all hosts without a restart, and are in the audit log', async () => {
    await sendJson(address(), 'POST', '/api/cms/items/hive', { name: 'Lime', kilograms: 7 });
    expect((await change({ lightKilograms: 8 })).json.data.values).toEqual({ lightKilograms: 8 });
    for (const index of [0, 1]) await eventually(async () => (await food(index)) === '2 need food');

    expect((await change({ lightKilograms: null })).json.data.values).toEqual({});
    await eventually(async () => (await food(1)) === undefined);
    const { json } = await send(address(), '/api/platform/audit?action=plugin-settings-changed');
    expect(json.data).toMatchObject([{ subject: 'plugin:beehives', detail: { changed: ['lightKilograms'] } }, {}]);
  });

  test('that are secret are stored encrypted, and answered by nobody', async () => {
    const { text, json } = await change({ scaleToken: 'bee-secret-1' });
    expect(json.data.secrets).toEqual(['scaleToken']);
    expect(text).not.toContain('bee-secret-1');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT set_values::text AS stored FROM gantry_plugin_setting');
    await client.end();
    expect(rows).toEqual([{ stored: expect.stringMatching(/"scaleToken": \{"sealed": "v1\./) }]);
    expect(rows[0].stored).not.toContain('bee-secret');
    expect((await change({ scaleToken: null })).json.data.secrets).toEqual([]);
  });

  test.each([
    [{ lightKilograms: 101 }, 'values.lightKilograms'],
    [{ lightKilograms: '7' }, 'values.lightKilograms'],
    [{ scaleToken: 'short' }, 'values.scaleToken'],
    [{ weight: 1 }, 'values.weight'],
  ])('refuse %j', async (values, place) => {
    const { status, json } = await change({ unit: 'lb', ...values });
    expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_FAILED', place]);
    expect((await send(address(), path)).json.data.values).toEqual({});
  });

  async function food(index: number): Promise<string | undefined> {
    const { json } = await send(address(index), '/readyz');
    return json.data.parts.find(({ name }: { name: string }) => name === 'plugin beehives: food')?.message;
  }
});
