/**
 * Who may import whom. Every rule here has a deliberate violation in test/architecture/dependency-rules.test.ts, so a rule
 * that stops catching anything is found out. Other packages are seen through their build (dist), as at run time.
 */

const DIRECTIONS = require('./.dependency-directions.cjs');

/** Imports that a package allows, as its `exports` name it: its index, and of some packages a little more. */
const PUBLIC_ENTRY = '/dist/index[.](js|d[.]ts)$';
const TESTING_KIT = '^core/plugin-api/dist/testing/index[.](js|d[.]ts)$';
const HOST_PARTS = '^core/host/dist/(config|inspect-plugins|inspect-temporal|open-identity)[.](js|d[.]ts)$';
const IDENTITY_PARTS = '^core/modules/identity/dist/(commands|local-token)[.](js|d[.]ts)$';
const MODULE_PARTS =
  '^core/(http/dist/(ports/index|idempotency/tables)|loader/dist/inspect|modules/(lifecycle/dist/(check/process/check-process|commands)|transfer/dist/limits|webhooks/dist/commands))[.](js|d[.]ts)$';
/** The errors of the plugin API alone, for parts of the host that need nothing else of it. */
const PLUGIN_ERRORS = '^core/plugin-api/dist/errors[.](js|d[.]ts)$';
const DATABASE_PARTS = '^core/database/dist/(create-sequelize|schema/schema-lock|changes/change-epoch)[.](js|d[.]ts)$';
const SUPERVISOR_PARTS = '^core/supervisor/dist/child/(index|watchdog)[.](js|d[.]ts)$';
const LAUNCHER_PARTS =
  '^core/launcher/dist/(backup/index|read-settings|servers/open-database|home/run-file|wheels/index)[.](js|d[.]ts)$';

const CLIENT = '^core/client/dist/(generate/index|platform)[.](js|d[.]ts)$';

/** A layer may reach its own sources, Node and packages from npm, and of this workspace only what `allowed` names. */
function layer(name, comment, folder, allowed) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: `^${folder}/src/` },
    to: { path: '^(contracts|core|plugins|services|cli)/', pathNot: [`^${folder}/`, ...allowed] },
  };
}

const COMMON = `^core/common${PUBLIC_ENTRY}`;
const DATABASE = `^core/database${PUBLIC_ENTRY}|${DATABASE_PARTS}`;
const [CONTENT, LOADER, HTTP] = ['content', 'loader', 'http'].map((name) => `^core/${name}${PUBLIC_ENTRY}`);
const [HISTORY, IDENTITY, LIFECYCLE, TRANSFER, WEBHOOKS] = [
  'history',
  'identity',
  'lifecycle',
  'transfer',
  'webhooks',
].map((name) => `^core/modules/${name}${PUBLIC_ENTRY}`);
const SUPERVISOR = `^core/supervisor${PUBLIC_ENTRY}|${SUPERVISOR_PARTS}`;
const CONTRACTS = `^contracts${PUBLIC_ENTRY}`;
const PLUGIN_API = `^core/plugin-api${PUBLIC_ENTRY}|${TESTING_KIT}`;
const HOST = `^core/host${PUBLIC_ENTRY}|${HOST_PARTS}`;
const CREATE = `^cli/create-gantry${PUBLIC_ENTRY}`;
const LAUNCHER = `^core/launcher${PUBLIC_ENTRY}|${LAUNCHER_PARTS}`;

/** Packages that every package of the platform may use. */
const KERNEL = [COMMON, CONTRACTS, PLUGIN_API, PLUGIN_ERRORS];

const layers = [
  {
    name: 'contracts-import-nothing',
    comment: 'Contracts are safe in a workflow bundle and in a browser: they import neither packages nor Node.',
    severity: 'error',
    from: { path: '^contracts/src/' },
    to: { pathNot: '^contracts/src/' },
  },
  {
    name: 'plugin-api-is-thin',
    comment: 'All that a plugin pulls in through the plugin API: contracts, reflect-metadata and the decorators.',
    severity: 'error',
    from: { path: '^core/plugin-api/src/', pathNot: '^core/plugin-api/src/testing/' },
    to: {
      pathNot: [
        '^core/plugin-api/src/',
        CONTRACTS,
        'node_modules/(reflect-metadata|sequelize|sequelize-typescript)/',
        '^(node:)?http$',
      ],
    },
  },
  {
    name: 'ui-surface-stands-alone',
    comment: 'What pages of plugins may import is declared without the platform: of packages, the types of React only.',
    severity: 'error',
    from: { path: '^core/ui/src/' },
    to: { pathNot: ['^core/ui/src/', 'node_modules/(@types/)?react/'] },
  },
  {
    name: 'common-knows-no-domain',
    comment: 'What all parts of the core use stands on Node and contracts.',
    severity: 'error',
    from: { path: '^core/common/src/' },
    to: {
      pathNot: ['^core/common/src/', CONTRACTS, 'node_modules/(lossless-json|zod)/'],
      dependencyTypesNot: ['core'],
    },
  },
  layer('plugin-api-layer', 'The plugin API stands on contracts alone.', 'core/plugin-api', [CONTRACTS]),
  layer('supervisor-layer', 'The supervisor stands on contracts and common.', 'core/supervisor', [COMMON, CONTRACTS]),
  layer('database-layer', 'The database stands on contracts, common and the plugin API.', 'core/database', [
    COMMON,
    CONTRACTS,
    PLUGIN_API,
    PLUGIN_ERRORS,
  ]),
  layer('content-layer', 'Item types stand on the database.', 'core/content', [...KERNEL, DATABASE]),
  layer('loader-layer', 'The loader knows plugins, and no item types.', 'core/loader', [...KERNEL, SUPERVISOR]),
  layer('http-layer', 'The HTTP code serves item types and the routes of plugins; it knows no module.', 'core/http', [
    ...[...KERNEL, DATABASE, CONTENT, LOADER],
  ]),
  ...['history', 'identity', 'lifecycle', 'transfer', 'webhooks'].map((name) =>
    layer(`${name}-layer`, 'A module stands on the kernel.', `core/modules/${name}`, [
      ...[...KERNEL, DATABASE, HTTP, MODULE_PARTS],
      // Decides which plugins are loaded, and tries their code out in a process.
      ...(name === 'lifecycle' ? [LOADER, SUPERVISOR] : [CONTENT]),
    ]),
  ),
  layer(
    'host-layer',
    'The host puts kernel and modules together; it knows no plugin, no service, no launcher.',
    'core/host',
    [
      ...[...KERNEL, DATABASE, CONTENT, LOADER, HTTP, HISTORY, IDENTITY, LIFECYCLE, TRANSFER, WEBHOOKS, SUPERVISOR],
      ...[IDENTITY_PARTS, MODULE_PARTS],
    ],
  ),
  layer('launcher-layer', 'The launcher uses the host by its public exports.', 'core/launcher', [
    COMMON,
    CONTRACTS,
    DATABASE,
    SUPERVISOR,
    HOST,
  ]),
  layer('cli-layer', 'The command line uses the public exports of host and launcher.', 'cli', [
    COMMON,
    CONTRACTS,
    SUPERVISOR,
    HOST,
    IDENTITY_PARTS,
    LAUNCHER,
    CREATE,
    `^core/client${PUBLIC_ENTRY}`,
    CLIENT,
  ]),
  layer('client-layer', 'The client knows the platform by its OpenAPI document alone.', 'core/client', []),
  layer('create-layer', 'What makes projects and plugins needs no part of the platform.', 'cli/create-gantry', []),
  {
    name: 'plugin-layer',
    comment:
      'A plugin or service imports the plugin API, contracts, its own folder and the public entry of declared peers.',
    severity: 'error',
    from: { path: '^(plugins|services)/([^/]+)/src/' },
    to: {
      path: '^(contracts|core|plugins|services|cli)/',
      pathNot: ['^$1/$2/', CONTRACTS, PLUGIN_API, `^(plugins|services)/[^/]+${PUBLIC_ENTRY}`],
    },
  },
  {
    name: 'workflows-are-deterministic',
    comment:
      'Workflow code runs in the Temporal sandbox: @temporalio/workflow, contracts and other workflow files only.',
    severity: 'error',
    from: { path: '^(services/[^/]+|core/modules/webhooks)/src/workflows(/|[.]ts$)' },
    to: { pathNot: ['^$1/src/workflows(/|[.]ts$)', CONTRACTS, 'node_modules/@temporalio/(workflow|common)/'] },
  },
];

/** The pages are TSX, which the parser here does not read: oxlint holds their directions. */
const read = Object.entries(DIRECTIONS).filter(([root]) => !root.includes('/web/'));
const directions = read.flatMap(([root, allowed]) => {
  const area = root.replace('core/', '').replace('/src', '').replaceAll('/', '-');
  const part = (name) => `^${root}/${name}(/|[.]ts$)`;
  const listed = Object.keys(allowed);
  return [
    ...listed.map((name) => ({
      name: `${area}-${name}`,
      comment: `Of ${root}, ${name} imports ${allowed[name].join(', ') || 'nothing else'}.`,
      severity: 'error',
      from: { path: part(name) },
      to: { path: `^${root}/`, pathNot: [name, ...allowed[name]].map(part) },
    })),
    {
      name: `${area}-folders`,
      comment: `A new folder of ${root} is listed with what it may import.`,
      severity: 'error',
      from: { path: `^${root}/([^/]+)/`, pathNot: listed.map(part) },
      to: { path: `^${root}/`, pathNot: `^${root}/$1/` },
    },
  ];
});

/** Single programs that answer and end, and the test kit of the plugin API, which may import contracts only. */
const SHORT_PROGRAMS = [
  '^cli/create-gantry/src/run-npm[.]ts$',
  '^core/common/src/processes[.]ts$',
  '^core/loader/src/execution/error-position[.]ts$',
  '^core/launcher/src/(postgres/(binaries|postmaster|run-as)|temporal/program|backup/pause-process)[.]ts$',
  '^core/plugin-api/src/testing/start-(host|platform)[.]ts$',
];

/** Libraries that are kept to one part of the host, so that replacing one stays a local change. */
const confined = [
  {
    name: 'processes-in-supervisor',
    comment: 'Processes that run for a while are spawned, watched and ended by the supervisor.',
    severity: 'error',
    from: {
      path: '^(contracts|core|plugins|services|cli)/.*src/',
      pathNot: ['^core/supervisor/src/child/spawn-child[.]ts$', ...SHORT_PROGRAMS],
    },
    to: { path: '^(node:)?child_process$' },
  },
  {
    name: 'sequelize-in-content-and-database',
    comment: 'Only content, and the database below it, speak to the object-relational mapper.',
    severity: 'error',
    from: { path: '^core/(host|http|loader|modules/[^/]+)/src/' },
    to: { path: 'node_modules/(sequelize|sequelize-typescript)/' },
  },
  {
    name: 'express-in-http',
    comment: 'Only code that serves routes knows Express; plugins register routes with the router they are given.',
    severity: 'error',
    from: {
      path: '^(contracts|core|plugins|services|cli)/',
      pathNot: '^core/(http/src|modules/identity/src/routes|(host|http|modules/[^/]+)/test)/',
    },
    to: { path: 'node_modules/(@types/)?express/' },
  },
  {
    name: 'container-in-one-place',
    comment: 'tsyringe is used where plugins provide services, and nowhere else.',
    severity: 'error',
    from: {
      path: '^(contracts|core|plugins|services|cli)/',
      pathNot: '^core/loader/src/registration/provided-services[.]ts$',
    },
    to: { path: 'node_modules/tsyringe/' },
  },
];

const hygiene = [
  {
    name: 'no-cycles',
    comment: 'Files that import each other cannot be read, tested or replaced one by one.',
    severity: 'error',
    from: { path: '^(contracts|core|plugins|services|cli)/' },
    to: { circular: true },
  },
  {
    name: 'no-deep-imports',
    comment: 'Another package is imported by its name and through its public entry.',
    severity: 'error',
    from: { path: '^((?:core/modules/|core/(?!modules/)|plugins/|services/)?[^/]+)/' },
    to: {
      path: '^(contracts|core/(?:modules/)?[^/]+|plugins/[^/]+|services/[^/]+|cli)/(src|dist|test)/',
      pathNot: [
        '^$1/',
        PUBLIC_ENTRY,
        TESTING_KIT,
        PLUGIN_ERRORS,
        DATABASE_PARTS,
        SUPERVISOR_PARTS,
        HOST_PARTS,
        IDENTITY_PARTS,
        MODULE_PARTS,
        LAUNCHER_PARTS,
        CLIENT,
      ],
    },
  },
  {
    name: 'no-tests-in-sources',
    comment: 'Shipped code imports no test and no test library.',
    severity: 'error',
    from: { path: '/src/' },
    to: { path: ['/test/', 'node_modules/(jest|@jest|playwright-core)/'] },
  },
  {
    name: 'no-undeclared-packages',
    comment: 'What a package imports stands in its own package.json.',
    severity: 'error',
    from: { path: '^(contracts|core|plugins|services|cli)/.*src/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable',
    comment: 'An import that leads nowhere; if it names a package of this workspace, build first (npm run build).',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  forbidden: [...layers, ...directions, ...confined, ...hygiene],
  options: {
    parser: 'swc',
    // Pages are TSX, which the swc parser here does not read; oxlint holds their imports (.oxlintrc.pages.json).
    exclude: { path: '/fixtures/|^test/samples/|^plugins/[^/]+/web/' },
    doNotFollow: { path: ['node_modules', '/dist/'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
