import { join } from 'node:path';
import { createPluginFolders, definitionOf, type PluginFolders } from './support/plugin-folders';
import { reportOf, runRegistry, type RegistryRun } from './support/run-registry';

describe('a mistake in a plugin', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const run = (): Promise<RegistryRun> => runRegistry({ sources: folders.sources });

  it('refuses item types that are no declared classes of the one BaseItem', async () => {
    const code = `const { BaseItem, definePlugin } = require('@gantry/plugin-api');
      class Plain {}
      class Undecorated extends BaseItem {}
      module.exports = definePlugin({ id: 'odd', itemTypes: [Plain, Undecorated, 'Text', null] });`;
    await folders.add('odd', { files: { 'index.js': code } });
    expect(reportOf(await run(), 'odd').problems.map(({ code: problem, reason }) => `${problem} ${reason}`)).toEqual([
      "ITEM_TYPE_INVALID The item type Plain does not extend the host's BaseItem or CatalogAwareItem",
      'ITEM_TYPE_INVALID The item type Undecorated has no @ItemType decorator',
      'ITEM_TYPE_INVALID The item type number 3 is not a class',
      'ITEM_TYPE_INVALID The item type number 4 is not a class',
    ]);
  });

  it('names every member of a definition that is unknown or of the wrong kind', async () => {
    const members = "onStart() {}, start: 'now', health: null, service: { queue: 'q', taskQueue: 'q', activities: {} }";
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', members) } });
    await folders.add('late', { files: { 'index.js': definitionOf('late', 'config: async () => ({ a: 1 })') } });
    await folders.add('silent', { files: { 'index.js': definitionOf('silent', 'config() {}') } });
    const result = await run();
    const problemsOf = (id: string) =>
      reportOf(result, id).problems.map(({ code, reason, remedy }) => [code, reason, remedy]);
    expect(problemsOf('odd')).toEqual([
      [
        'DEFINITION_INVALID',
        'definePlugin has the unknown member onStart',
        'The known members are id, itemTypes, fieldKinds, migrations, service, subscriptions, config, register, start, stop, health',
      ],
      ['DEFINITION_INVALID', 'The member start of definePlugin is of type string', 'Make start a function'],
      ['DEFINITION_INVALID', 'The member health of definePlugin is null', 'Make health a function'],
      [
        'SERVICE_INVALID',
        'service has the unknown member queue',
        'The known members are taskQueue, workflowsPath, activities',
      ],
      ['SERVICE_INVALID', 'The member activities of service is of type object', 'Make activities a function'],
    ]);
    const remedy = 'Return an object synchronously';
    expect(problemsOf('late')).toEqual([['CONFIG_INVALID', 'config returned a promise', remedy]]);
    expect(problemsOf('silent')).toEqual([['CONFIG_INVALID', 'config returned undefined', remedy]]);
  });

  it('names controls and cells for fields that the own types do not have, and leaves those of others alone', async () => {
    const ui = {
      apiVersion: 1,
      entry: './dist/ui/index.js',
      fields: ['boat.name', 'boat.lenght', 'boat.catalogVersion', 'ship.any', 'TEXT'],
      cells: ['boat.nmae'],
    };
    const code = `const { CatalogAwareItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
      class Boat extends CatalogAwareItem {}
      Field({ displayName: 'Length' })(Boat.prototype, 'length');
      Field({ displayName: 'Name' })(Boat.prototype, 'name');
      ItemType()(Boat);
      module.exports = definePlugin({ id: 'boats', itemTypes: [Boat] });`;
    const gantry = { ui, contributes: { itemTypes: ['boat'], taskQueues: [], routes: [] } };
    await folders.add('boats', { gantry, files: { 'index.js': code } });
    const remedy = 'Its known fields are length, name, catalogVersion';
    const phase = 'register';
    expect(reportOf(await run(), 'boats').problems).toEqual([
      {
        phase,
        code: 'CONTRIBUTION_MISMATCH',
        reason: 'package.json names "boat.lenght" in gantry.ui.fields, and boat has no field lenght',
        remedy,
      },
      {
        phase,
        code: 'CONTRIBUTION_MISMATCH',
        reason: 'package.json names "boat.nmae" in gantry.ui.cells, and boat has no field nmae',
        remedy,
      },
    ]);
  });

  it('survives a definition that is odd in a way that no check foresees', async () => {
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', 'service: null') } });
    await folders.add('sound');
    expect(states(await run())).toEqual({ odd: 'failed REGISTER_FAILED', sound: 'started' });
  });

  it('reports where in the files of a plugin something went wrong', async () => {
    const esm = { json: { type: 'module' } };
    await folders.add('deep', { ...esm, files: { 'index.js': "import './lib/x.js';", 'lib/x.js': '\nundefined.y;' } });
    await folders.add('syntax', { ...esm, files: { 'index.js': "import './lib/x.js';", 'lib/x.js': '\n\nclass {' } });
    await folders.add('old', { files: { 'index.js': "require('./lib/x')", 'lib/x.js': '\n\nclass {' } });
    await folders.add('starting', {
      files: { 'index.js': definitionOf('starting', '\nstart() { throw new Error("no") }') },
    });
    const result = await run();
    const positionOf = (id: string) => /\(([^()]*)\)$/.exec(reportOf(result, id).problems[0]?.reason ?? '')?.[1];
    expect(['deep', 'syntax', 'old', 'starting'].map(positionOf)).toEqual([
      'lib/x.js:2:11',
      'lib/x.js:3',
      'lib/x.js:3',
      'index.js:3:17',
    ]);
  });

  it('says what to do about a package that is not installed, and about TypeScript', async () => {
    await folders.add('lacking', { json: { type: 'module' }, files: { 'index.js': "import '@acme/boats/lib.js';" } });
    await folders.add('lacking-too', { files: { 'index.js': "require('boats')" } });
    await folders.add('written', {
      json: { type: 'module', main: './index.weird' },
      files: { 'index.weird': 'const a: string = 1;' },
    });
    const result = await run();
    const install = (name: string, id: string) =>
      `Name ${name} in dependencies of ${join(folders.root, 'plugins', id, 'package.json')}, and install it there: npm install --legacy-peer-deps`;
    expect(['lacking', 'lacking-too', 'written'].map((id) => reportOf(result, id).problems[0]?.remedy)).toEqual([
      install('@acme/boats', 'lacking'),
      install('boats', 'lacking-too'),
      `Compile the plugin to JavaScript, and name the built file as main in ${join(folders.root, 'plugins/written/package.json')}`,
    ]);
  });
});

/** State and problem codes by id. */
function states(result: RegistryRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    result.reports.map(({ id, state, problems }) => [id, [state, ...problems.map(({ code }) => code)].join(' ')]),
  );
}
