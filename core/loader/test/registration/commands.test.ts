import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry, type RegistryRun } from '../support/run-registry';

describe('commands of a plugin', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const run = (): Promise<RegistryRun> => runRegistry({ sources: folders.sources });

  it('are refused that call no route, or one that takes a file', async () => {
    const members = `register({ router }) {
        router.route('GET', '/notes/:id', async () => ({}), { query: ['part'] });
        router.route('POST', '/notes/file', async () => ({}), { body: { mediaTypes: ['image/*'], limit: 10 } });
      }`;
    const routes = ['GET /notes/:id', 'POST /notes/file'];
    const commands = [
      { name: 'read', route: 'GET /notes/:id' },
      { name: 'list', route: 'listNotes' },
      { name: 'send', route: 'POST /notes/file' },
    ];
    const gantry = { contributes: { routes, commands } };
    await folders.add('notes', { gantry, files: { 'index.js': definitionOf('notes', members) } });
    await folders.add('none', { gantry: { contributes: { commands: commands.slice(1, 2) } } });
    const result = await run();
    const remedy = expect.stringContaining('gantry.contributes.commands of package.json') as string;
    const problem = (reason: string) => ({ code: 'COMMAND_INVALID', phase: 'register', reason, remedy });
    expect(reportOf(result, 'notes').problems).toEqual([
      problem(
        'The command "list" calls the route "listNotes", which the code does not register; the plugin has GET /notes/:id, POST /notes/file',
      ),
      problem('The command "send" calls the route "POST /notes/file", which takes a file; commands send JSON'),
    ]);
    expect(reportOf(result, 'none').problems).toEqual([
      problem(
        'The command "list" calls the route "listNotes", which the code does not register; the plugin has no routes',
      ),
    ]);
  });
});
