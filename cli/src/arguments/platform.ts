import { UsageError } from '../common/usage-error';
import type { CommandContext } from '../context/command-context';
import { command, group, type Command } from './command';
import { flag, word } from './options';

/** `gantry up` */
export const upCommand = command({
  command: 'up',
  describe: 'Run the platform, until Ctrl-C',
  builder: (parser) =>
    parser
      .option('port', word('HTTP port (GANTRY_PORT); 0 lets the system choose'))
      .option(
        'only',
        word(
          'ids of the plugins to run, separated by commas (GANTRY_ONLY); other processes of the same home run the others',
        ),
      )
      .option('safe', {
        type: 'boolean',
        // No default: yargs would take it for a value that was given.
        conflicts: 'only',
        describe: 'run only required plugins (GANTRY_SAFE=1), so that a plugin that prevents the start can be disabled',
      }),
  async run(context, { port, only, safe }) {
    const { startPlatform } = await import('../commands/up.js');
    const settings = {
      ...(port === undefined ? {} : { GANTRY_PORT: parsePort(port) }),
      ...(only === undefined ? {} : { GANTRY_ONLY: parseIds(only) }),
      ...(safe ? { GANTRY_SAFE: '1' } : {}),
    };
    return startPlatform({ ...context, environment: { ...context.environment, ...settings } });
  },
});

function parsePort(port: string): string {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535; found "${port}".`);
}

function parseIds(only: string): string {
  if (/^\s*[a-z][a-z0-9-]*(\s*,\s*[a-z][a-z0-9-]*)*\s*$/.test(only)) return only;
  throw new UsageError(`--only must be ids of plugins separated by commas, such as order,payment; found "${only}".`);
}

const noInstall = flag('write the files only, without npm install');

/** `gantry init` */
export const initCommand = command({
  command: 'init [folder]',
  describe: 'Create a project of the platform in an empty folder, as npm create gantry does',
  builder: (parser) =>
    parser
      .positional('folder', { type: 'string', default: '.', describe: 'folder that is empty or does not exist' })
      .option('no-install', noInstall),
  run: async (context, { folder, 'no-install': isBare }) =>
    (await import('../commands/create.js')).initProject(context, folder, !isBare),
});

/** `gantry dev` */
export const devCommand = command({
  command: 'dev [folders..]',
  describe: 'Run the platform, build plugins on every save and restart the platform with them',
  builder: (parser) =>
    parser
      .positional('folders', {
        type: 'string',
        array: true,
        default: [],
        describe: 'folders of plugins; by default this one, or those of the project',
      })
      .option('port', word('HTTP port (GANTRY_PORT); 0 lets the system choose')),
  async run(context, { folders, port }) {
    const settings = port === undefined ? {} : { GANTRY_PORT: parsePort(port) };
    const { develop } = await import('../commands/dev.js');
    return develop({ ...context, environment: { ...context.environment, ...settings } }, folders);
  },
});

const plugins = () => import('../commands/plugins/plugins.js');
const pluginChanges = () => import('../commands/plugins/plugins-change.js');
const packageChanges = () => import('../commands/plugins/plugins-packages.js');

/** `gantry plugins …` */
export const pluginsCommand = group('plugins', 'Create, show, check, install, enable and disable plugins', [
  command({
    command: 'create <id>',
    describe: 'Create a plugin in TypeScript: in plugins/<id> of a project, otherwise in <id>',
    builder: (parser) =>
      parser
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin, such as recipes' })
        .option('item-type', word('class of its item type, such as Recipe; the default where nothing is named'))
        .option('routes', flag('with a route'))
        .option('service', flag('with a Temporal service: a workflow and an activity'))
        .option('pages', flag('with a page in the admin pages'))
        .option('no-install', noInstall),
    run: async (context, { id, 'item-type': itemType, routes, service, pages, 'no-install': isBare }) =>
      (await import('../commands/create.js')).createNamedPlugin(
        context,
        id,
        { itemType, routes, service, pages },
        !isBare,
      ),
  }),
  command({
    command: 'list',
    describe: 'List all plugins with their state',
    isRemote: true,
    run: async (context) => (await plugins()).listPlugins(context),
  }),
  withId('info', 'Show the details of a plugin', async (context, id) => (await plugins()).showPlugin(context, id)),
  command({
    command: 'check [plugins..]',
    describe:
      'Check plugins before they are enabled: the named plugins together, or by default each plugin that is found',
    builder: (parser) =>
      parser
        .positional('plugins', {
          type: 'string',
          array: true,
          default: [],
          describe: 'ids, folders, tarballs (.tgz), or packages of npm: name@version or npm:name',
        })
        .option('tests', flag('also run the tests of the packages (npm test)')),
    run: async (context, { plugins: words, tests }) =>
      (await import('../commands/plugins/plugins-check.js')).checkNamedPlugins(context, words, tests),
  }),
  withId(
    'enable',
    'Check and enable a plugin: at once if a platform runs, otherwise at the next start',
    async (context, id) => (await pluginChanges()).changePlugin(context, id, 'enable'),
  ),
  command({
    command: 'disable <id>',
    describe: 'Disable a plugin: at once if a platform runs, otherwise at the next start; its data are kept',
    builder: (parser) =>
      parser
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' })
        .option('dependents', {
          type: 'boolean',
          default: false,
          describe: 'also disable the plugins that depend on it',
        }),
    isRemote: true,
    run: async (context, { id, dependents }) =>
      (await pluginChanges()).changePlugin(context, id, 'disable', dependents),
  }),
  command({
    command: 'unpin <id>',
    describe: 'Run a plugin from its folder again instead of the copy that was enabled',
    builder: (parser) => parser.positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' }),
    run: async (context, { id }) => (await import('../commands/plugins/plugins-unpin.js')).unpin(context, id),
  }),
  command({
    command: 'install <source>',
    describe: 'Fetch, check, install and enable a plugin: at once if a platform runs, otherwise at the next start',
    builder: (parser) =>
      parser
        .positional('source', {
          type: 'string',
          demandOption: true,
          describe: 'package of npm (name@version or npm:name), tarball (.tgz) or folder',
        })
        .option('disabled', flag('install it without enabling it'))
        .option('yes', flag('do not ask before database statements that remove or change values')),
    isRemote: true,
    run: async (context, { source, disabled, yes }) =>
      (await packageChanges()).installFrom(context, source, { disabled, yes }),
  }),
  command({
    command: 'upgrade <id>',
    describe: 'Replace the package of a plugin by another version, after a check',
    builder: (parser) =>
      parser
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' })
        .option('to', word('version, or a package of npm, a tarball or a folder; the newest version unless given'))
        .option('yes', flag('do not ask before database statements that remove or change values')),
    isRemote: true,
    run: async (context, { id, to, yes }) => (await packageChanges()).upgradeTo(context, id, { to, yes }),
  }),
  command({
    command: 'uninstall <id>',
    describe: 'Remove the package of a plugin that was installed by command; its data are kept',
    builder: (parser) =>
      parser
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' })
        .option('disable', flag('disable the plugin first'))
        .option('yes', flag('has no effect, and is accepted as for install and upgrade: the data are kept')),
    isRemote: true,
    run: async (context, { id, disable }) => (await packageChanges()).uninstall(context, id, disable),
  }),
  command({
    command: 'drop-archives',
    describe: 'Drop the package archives of earlier versions from the database, after all hosts are upgraded',
    run: async (context) => (await import('../commands/plugins/plugins-drop-archives.js')).dropPluginArchives(context),
  }),
  command({
    command: 'purge <id>',
    describe: 'Delete all data of a plugin that is disabled or not installed, after its rows are written to a file',
    builder: (parser) =>
      parser
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' })
        .option('out', word('file for the rows; named after the plugin and the time unless given'))
        .option('no-export', flag('delete without a file'))
        .option('yes', flag('do not ask for the id as a confirmation')),
    run: async (context, { id, out, 'no-export': isLost, yes }) =>
      (await import('../commands/plugins/plugins-purge.js')).purge(context, id, { yes, out, isExported: !isLost }),
  }),
]);

const types = () => import('../commands/types.js');

/** `gantry types …` */
export const typesCommand = group('types', 'Show the item types', [
  command({
    command: 'list',
    describe: 'List all item types',
    isRemote: true,
    run: async (context) => (await types()).listTypes(context),
  }),
  command({
    command: 'show <type>',
    describe: 'Show the fields of an item type',
    builder: (parser) =>
      parser.positional('type', { type: 'string', demandOption: true, describe: 'type code, such as product' }),
    isRemote: true,
    run: async (context, { type }) => (await types()).showType(context, type),
  }),
]);

const migrate = () => import('../commands/migrate.js');

/** `gantry migrate …` */
export const migrateCommand = group(
  'migrate',
  'Show or apply the schema changes that the plugins need; every start applies them',
  [
    command({
      command: 'plan',
      describe: 'Print the pending changes',
      run: async (context) => (await migrate()).planMigration(context),
    }),
    command({
      command: 'up',
      describe: 'Apply the pending changes',
      run: async (context) => (await migrate()).migrate(context),
    }),
  ],
);

/** `gantry doctor` */
export const doctorCommand = command({
  command: 'doctor',
  describe: 'Check the requirements of the platform, and show a remedy for each problem',
  run: async (context) => (await import('../commands/doctor.js')).examine(context),
});

/** `gantry openapi` */
export const openApiCommand = command({
  command: 'openapi',
  describe: 'Print the OpenAPI document of all endpoints',
  builder: (parser) => parser.option('out', word('file to write it to')),
  isRemote: true,
  run: async (context, { out }) => (await import('../commands/openapi.js')).writeOpenApi(context, out),
});

function withId(
  name: string,
  describe: string,
  run: (context: CommandContext, id: string) => Promise<number>,
): Command {
  return command({
    command: `${name} <id>`,
    describe,
    builder: (parser) => parser.positional('id', { type: 'string', demandOption: true, describe: 'id of the plugin' }),
    isRemote: true,
    run: (context, { id }) => run(context, id),
  });
}

/** `gantry client …` */
export const clientCommand = group('client', 'Generate a typed client of the platform', [
  command({
    command: 'generate',
    describe: 'Print the types of all item types and routes, for @gantry/client',
    builder: (parser) => parser.option('out', word('file to write them to, such as gantry-types.ts')),
    isRemote: true,
    run: async (context, { out }) => (await import('../commands/client.js')).generateClient(context, out),
  }),
]);
