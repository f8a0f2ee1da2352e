import type { StartupReport } from '@gantry/contracts';
import { packPlugin, type PackedPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';

let platform: ChangingPlatform;
beforeAll(async () => {
  platform = await startChangingPlatform(['plugins/catalog']);
});
afterAll(() => platform.close());

function pack(id: string, version: string, rest: Partial<PackedPlugin> = {}): string {
  return packPlugin(platform.environment['GANTRY_PROJECT'] ?? '', { id, version, ...rest });
}

/** Version and state, such as `1.0.0 started`. */
async function pluginOf(id: string): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  const plugin = (data as StartupReport).plugins.find((one) => one.id === id);
  return plugin && `${plugin.version ?? ''} ${plugin.state}`;
}

describe('an upgrade whose migrations run and whose start fails', () => {
  const first = { '1': 'CREATE TABLE boats_boat (name text)' };
  const adding = { ...first, '2': 'ALTER TABLE boats_boat ADD COLUMN length integer' };
  const removing = { ...adding, '3': 'ALTER TABLE boats_boat DROP COLUMN name' };
  const leaks = "throw new Error('leaks')";
  const upgrade = (file: string) => platform.gantry(['plugins', 'upgrade', 'boats', '--to', file]);

  it('leaves the version before, which also starts again where the migrations only added', async () => {
    await platform.gantry(['plugins', 'install', pack('boats', '1.0.0', { migrations: first })]);
    const upgraded = await upgrade(pack('boats', '1.1.0', { migrations: adding, start: leaks }));
    expect([upgraded.code, upgraded.stderr]).toEqual([1, expect.stringMatching(/the plugins are unchanged: .*leaks/)]);

    await platform.process.stop();
    await platform.restart();

    expect(await pluginOf('boats')).toBe('1.0.0 started');
    const repaired = await upgrade(pack('boats', '1.1.1', { migrations: adding }));
    expect([repaired.code, await pluginOf('boats')]).toEqual([0, '1.1.1 started']);
  });

  it('says which migrations the version before cannot work with, where they did more', async () => {
    const upgraded = await upgrade(pack('boats', '2.0.0', { migrations: removing, start: leaks }));
    expect(upgraded.stderr).toMatch(/the plugins are unchanged: .*leaks/);
    expect(await pluginOf('boats')).toBe('1.1.1 started');

    await platform.process.stop();
    await platform.restart();

    const { data } = await platform.send('GET', '/api/platform/plugins');
    const boats = (data as StartupReport).plugins.find(({ id }) => id === 'boats');
    expect(boats).toMatchObject({
      state: 'incompatible',
      problems: [
        {
          code: 'SCHEMA_NEWER',
          reason: expect.stringContaining(
            'version 2.0.0 ran migrations that it cannot work with: 3 (removes the column boats_boat.name',
          ) as string,
          remedy: expect.stringMatching(/^Install version 2\.0\.0 or a later one; or restore the backup/) as string,
        },
      ],
    });
    expect((await upgrade(pack('boats', '2.0.1', { migrations: removing }))).code).toBe(0);
    expect(await pluginOf('boats')).toBe('2.0.1 started');
  });
});
