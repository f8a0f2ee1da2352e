import { strict as assert } from 'node:assert';
import type { Bench } from '../bench';
import type { PluginCheck } from './plugin-check';

interface PluginSettings {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Checks of the settings that administrators change. */
export function settingsChecks(): readonly PluginCheck[] {
  return [{ name: 'takes the default of each of its settings as a value', run: takesDefaults }];
}

async function takesDefaults({ plugin, platform }: Bench): Promise<void> {
  const { client } = await platform();
  const path = `/api/platform/plugins/${plugin.id}/settings`;
  const { status, data, error, summary } = await client.request<PluginSettings>('GET', path);
  if (error?.code === 'NOT_FOUND') return;
  assert.equal(status, 200, summary);
  for (const [name, { default: preset }] of Object.entries(data.properties)) {
    if (preset === undefined) continue;
    const set = await client.request<PluginSettings>('PATCH', path, { body: { values: { [name]: preset } } });
    assert.equal(set.status, 200, `${name} refuses its default: ${set.summary}`);
    assert.deepEqual(set.data.values[name], preset, `${name} has another value than its default, which was set`);
    const reset = await client.request<PluginSettings>('PATCH', path, { body: { values: { [name]: null } } });
    assert.equal(reset.status, 200, reset.summary);
  }
}
