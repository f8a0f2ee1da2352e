import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostMessage } from '@gantry/contracts';
import { createPluginFolders, type PluginFolders } from '../../../test/support/plugin-folders';
import { exitOfRegistry, reportOf, runRegistry } from './support/run-registry';

/** Plugin that the launcher suspects when the host is gone: the one entered last and not left. */
function suspect(messages: readonly HostMessage[]): HostMessage | undefined {
  const last = messages.at(-1);
  return last?.kind === 'entering' ? last : undefined;
}

describe('plugins that take the whole process along', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
    await folders.add('sound');
  });
  afterEach(() => folders.remove());

  const addBroken = (name: string) =>
    symlink(join(__dirname, '../../../test/samples/broken', name), join(folders.root, 'plugins', name));

  it.each([
    ['blocks-on-load', 'load'],
    ['blocks-on-start', 'start'],
  ])(
    '%s: the launcher learns the plugin before it blocks, and the next attempt continues without it',
    async (plugin, phase) => {
      await addBroken(plugin);
      const timeouts = { load: 5000, start: 5000 };
      const exit = await exitOfRegistry({ sources: folders.sources, timeouts }, (message, kill) => {
        if (message.kind === 'entering' && message.plugin === plugin && message.phase === phase) kill();
      });
      expect([exit.signal, suspect(exit.messages)]).toEqual([
        'SIGKILL',
        { kind: 'entering', plugin, phase, timeoutMs: 5000 },
      ]);

      const quarantines = [{ plugin, phase, code: 'PLUGIN_HUNG', reason: 'it blocked the host' }];
      const next = await runRegistry({ sources: folders.sources, quarantines });
      expect([reportOf(next, plugin).state, reportOf(next, 'sound').state]).toEqual(['failed', 'started']);
    },
  );

  it('crashes-on-start: an error that nobody can catch ends the process with the plugin named', async () => {
    await addBroken('crashes-on-start');
    const exit = await exitOfRegistry({ sources: folders.sources });
    expect([exit.run, exit.exitCode]).toEqual([undefined, 1]);
    expect(suspect(exit.messages)).toMatchObject({ plugin: 'crashes-on-start', phase: 'start' });
    expect(exit.stderr).toContain('the sample throws where nobody can catch it');
  });
});
