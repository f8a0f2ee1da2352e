import { join } from 'node:path';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../test/support/plugin-folders';
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
      expect.stringMatching(/^ITEM_TYPE_INVALID .* Plain .* BaseItem or CatalogAwareItem/),
      expect.stringMatching(/^ITEM_TYPE_INVALID .* Undecorated .* @ItemType /),
      expect.stringMatching(/^ITEM_TYPE_INVALID .* number 3 /),
      expect.stringMatching(/^ITEM_TYPE_INVALID .* number 4 /),
    ]);
  });

  it('refuses classes whose names a minifier has made, and classes that come to one code', async () => {
    const code = (id: string, classes: string, list: string) => `
      const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
      ${classes}
      for (const type of new Set([${list}])) {
        Field({ displayName: 'Name' })(type.prototype, 'name');
        ItemType()(type);
      }
      module.exports = definePlugin({ id: '${id}', itemTypes: [${list}] });`;
    const files = {
      minified: code('minified', 'class m extends BaseItem {}', 'm'),
      same: code('same', 'class Thing extends BaseItem {}\nclass THING extends BaseItem {}', 'Thing, THING'),
      twice: code('twice', 'class Thing extends BaseItem {}', 'Thing, Thing'),
    };
    for (const [id, text] of Object.entries(files)) await folders.add(id, { files: { 'index.js': text } });
    const result = await run();
    const problemsOf = (id: string) =>
      reportOf(result, id).problems.map(({ code: problem, reason, remedy }) => [problem, reason, remedy]);
    const codeRemedy = expect.stringContaining('@ItemType({ code })');
    const type = 'ITEM_TYPE_INVALID';
    expect(problemsOf('minified')).toEqual([[type, expect.stringContaining(' m '), codeRemedy]]);
    expect(problemsOf('same')).toEqual([[type, expect.stringMatching(/ Thing and THING .*"thing"/), codeRemedy]]);
    expect(problemsOf('twice')).toEqual([[type, expect.stringContaining(' Thing twice'), 'List it once']]);
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
        expect.stringContaining(' onStart'),
        expect.stringContaining(
          ' id, itemTypes, extraFields, fieldKinds, migrations, service, subscriptions, writeHooks, metrics, schedules, settings, seeds, config, onTypeEvent, register, start, stop, health',
        ),
      ],
      ['DEFINITION_INVALID', expect.stringMatching(/ start .*string$/), expect.stringContaining(' start ')],
      ['DEFINITION_INVALID', expect.stringMatching(/ health .*null$/), expect.stringContaining(' health ')],
      [
        'SERVICE_INVALID',
        expect.stringContaining(' queue'),
        expect.stringContaining(' taskQueue, workflowsPath, activities'),
      ],
      ['SERVICE_INVALID', expect.stringMatching(/ activities .*object$/), expect.stringContaining(' activities ')],
    ]);
    const remedy = expect.stringContaining('object');
    expect(problemsOf('late')).toEqual([['CONFIG_INVALID', expect.stringMatching(/ promise$/), remedy]]);
    expect(problemsOf('silent')).toEqual([['CONFIG_INVALID', expect.stringMatching(/ undefined$/), remedy]]);
  });

  it('names what is wrong in each declaration of a contribution', async () => {
    const members = `metrics: [
      { name: 'Seats', kind: 'counter', help: 'Seats.' },
      { name: 'seats', kind: 'counter', help: ' ', read: async () => 1 },
      { name: 'days', kind: 'gauge', help: 'Days.', buckets: [1], labels: { a: ${JSON.stringify(Array.from({ length: 101 }, String))} } },
      7,
    ], schedules: [
      { name: 'night', cron: '60 3 * * *', run() {} },
      { name: 'Day', cron: '0 3 * * MON-FRI', intervalMs: 60000, run: 'now' },
      { name: 'often', intervalMs: 10, timeZone: 'Nowhere/Town', run() {} },
      { name: 'both', cron: '0 3 * * MON-FRI', intervalMs: 60000, run() {} },
      { name: 'right', cron: '*/5 0-6,12 1 JAN,jul sun', timeZone: 'Europe/Berlin', overlap: 'wait', run() {} },
    ]`;
    await folders.add('odd', { files: { 'index.js': definitionOf('odd', members) } });
    await folders.add('none', { files: { 'index.js': definitionOf('none', "metrics: 'all'") } });
    const result = await run();
    const problemsOf = (id: string) => reportOf(result, id).problems.map(({ code, reason }) => [code, reason]);
    const code = 'CONTRIBUTION_INVALID';
    expect(problemsOf('odd')).toEqual([
      [code, 'The metric "Seats": name must be 1 to 60 of a-z, 0-9 and _, beginning with a letter'],
      [code, 'The metric "seats": help must not be empty'],
      [code, 'The metric "seats": read is for gauges'],
      [code, 'The metric "days": labels must have at most 100 combinations of values'],
      [code, 'The metric "days": buckets is for histograms'],
      [code, expect.stringMatching(/^The metric number 4: /)],
      [code, 'The schedule "night": cron must have five fields such as "0 3 * * MON-FRI"'],
      [code, expect.stringMatching(/^The schedule "Day": name must be /)],
      [code, 'The schedule "Day": run must be a function'],
      [code, 'The schedule "often": timeZone must be a time zone such as Europe/Berlin'],
      [code, 'The schedule "often": intervalMs must be at least 10000'],
      [code, 'The schedule "often": timeZone is for cron'],
      [code, 'The schedule "both": must have either cron or intervalMs'],
    ]);
    expect(problemsOf('none')).toEqual([[code, expect.stringMatching(/^The member metrics: /)]]);
  });

  it.each([
    ["{ '~standard': {} }", /Standard JSON Schema/],
    ['schema({ type: "string" })', /must describe an object/],
    ['schema({ type: "object", properties: { List: { type: "array" } } })', /List, whose name .*/],
    [
      'schema({ type: "object", properties: { key: { type: "number", secret: true } } })',
      /secret key, which must be text/,
    ],
    [
      'schema({ type: "object", properties: { key: { type: "string" } } }, [{ message: "key is missing" }])',
      /must accept \{\}.* key is missing/,
    ],
  ])('refuses the settings %s', async (settings, reason) => {
    const schema = `const schema = (json, issues) => ({ '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value, issues }), jsonSchema: { input: () => json } } });`;
    await folders.add('odd', { files: { 'index.js': `${schema}\n${definitionOf('odd', `settings: ${settings}`)}` } });
    const [problem] = reportOf(await run(), 'odd').problems;
    expect([problem?.code, problem?.reason]).toEqual(['CONTRIBUTION_INVALID', expect.stringMatching(reason)]);
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
    const remedy = expect.stringContaining(' length, name, catalogVersion');
    const phase = 'register';
    expect(reportOf(await run(), 'boats').problems).toEqual([
      {
        phase,
        code: 'CONTRIBUTION_MISMATCH',
        reason: expect.stringMatching(/"boat\.lenght" in gantry\.ui\.fields, /),
        remedy,
      },
      {
        phase,
        code: 'CONTRIBUTION_MISMATCH',
        reason: expect.stringMatching(/"boat\.nmae" in gantry\.ui\.cells, /),
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
    const manifestOf = (id: string) => join(folders.root, 'plugins', id, 'package.json');
    const install = (name: string, id: string) =>
      expect.stringContaining(`${name} in dependencies of ${manifestOf(id)}, `);
    expect(['lacking', 'lacking-too', 'written'].map((id) => reportOf(result, id).problems[0]?.remedy)).toEqual([
      install('@acme/boats', 'lacking'),
      install('boats', 'lacking-too'),
      expect.stringContaining(`main in ${manifestOf('written')}`),
    ]);
  });
});

/** State and problem codes by id. */
function states(result: RegistryRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    result.reports.map(({ id, state, problems }) => [id, [state, ...problems.map(({ code }) => code)].join(' ')]),
  );
}
