import { inspectPlugins } from '../../src/commands/inspect-plugins';
import type { PluginSources } from '../../src/plugin-sources';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry } from '../support/run-registry';

describe('a process that runs only some plugins', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
    await folders.add('base');
    await folders.add('shop', { gantry: { dependsOn: { base: '^1.0.0' }, optionalDependsOn: { extra: '^1.0.0' } } });
    await folders.add('extra');
    await folders.add('other', { files: { 'index.js': 'throw new Error("was loaded")' } });
  });
  afterEach(() => folders.remove());

  const sources = (only: readonly string[]): PluginSources => ({ ...folders.sources, only });

  it('starts those named and what they depend on, and reports the others as disabled', async () => {
    const run = await runRegistry({ sources: sources(['shop']) });

    expect(run.reports.map(({ id, state }) => `${id}: ${state}`)).toEqual([
      'base: started',
      'extra: disabled',
      'other: disabled',
      'shop: started',
    ]);
    expect(reportOf(run, 'other').problems).toEqual([
      {
        phase: 'discover',
        code: 'PLUGIN_NOT_SELECTED',
        reason: expect.stringContaining('(--only shop)'),
        remedy: expect.stringContaining('gantry up --only other'),
      },
    ]);
    expect(run.served).toMatchObject({ shop: 'served', other: 'disabled' });
  });

  it('starts what the platform requires as well', async () => {
    await folders.add('core', { gantry: { required: true } });

    const run = await runRegistry({ sources: sources(['base', 'extra']) });

    expect(run.reports.flatMap(({ id, state }) => (state === 'started' ? id : []))).toEqual(['base', 'core', 'extra']);
  });

  it('starts required plugins only when none is named, which helps when another one keeps the platform from starting', async () => {
    await folders.add('core', { gantry: { required: true } });

    const run = await runRegistry({ sources: sources([]) });

    expect(run.reports.flatMap(({ id, state }) => (state === 'started' ? id : []))).toEqual(['core']);
    expect(reportOf(run, 'shop').problems).toMatchObject([
      { code: 'PLUGIN_NOT_SELECTED', reason: expect.stringContaining('(--safe)') },
    ]);
  });

  it('does not start with a name that no plugin has', async () => {
    await expect(inspectPlugins(sources(['shop', 'shpo']))).rejects.toMatchObject({
      code: 'PLUGIN_UNKNOWN',
      message: expect.stringMatching(/GANTRY_ONLY.*"shpo"/),
      remedy: 'Choose among base, extra, other, shop',
    });
  });
});
