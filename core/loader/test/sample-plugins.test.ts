import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createPluginFolders, type PluginFolders } from '../../../test/support/plugin-folders';
import { reportOf, runRegistry } from './support/run-registry';

const repository = join(__dirname, '../../..');

describe('the sample plugins, dropped into a folder far from the host', () => {
  let folders: PluginFolders;
  beforeAll(async () => {
    folders = await createPluginFolders();
    for (const name of ['recipes', 'reviews']) {
      await cp(join(repository, 'test/samples', name), join(folders.root, 'plugins', name), { recursive: true });
    }
  });
  afterAll(() => folders.remove());

  it('start together with the plugins they refer to, CommonJS and ESM alike, without node_modules of their own', async () => {
    const pluginPath = [join(repository, 'plugins'), ...folders.sources.pluginPath];
    const run = await runRegistry({ sources: { ...folders.sources, pluginPath } });
    expect([reportOf(run, 'recipes').problems, reportOf(run, 'reviews').problems]).toEqual([[], []]);
    expect(run.registered.filter(({ id }) => id.startsWith('re'))).toEqual([
      { id: 'recipes', types: ['Recipe'], routes: ['GET /recipes/quickest'], mounts: [] },
      { id: 'reviews', types: ['Review'], routes: ['GET /reviews/of/:productId'], mounts: [] },
    ]);
  });

  it('are blocked, and say by what, when the plugins they refer to are not there', async () => {
    const run = await runRegistry({ sources: folders.sources });
    expect(reportOf(run, 'recipes')).toMatchObject({
      state: 'blocked',
      problems: [{ reason: expect.stringContaining('articles') }],
    });
    expect(reportOf(run, 'reviews')).toMatchObject({
      state: 'blocked',
      problems: [{ reason: expect.stringContaining('catalog') }],
    });
  });
});
