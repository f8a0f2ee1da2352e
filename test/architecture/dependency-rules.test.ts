import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createSampleWorkspace, type SampleWorkspace } from './sample-workspace';

const root = join(__dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');
const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface WrongImport {
  readonly file: string;
  readonly imports: readonly string[];
}

/** For every rule: a file in a wrong place, or with a wrong import. */
const WRONG: Readonly<Record<string, WrongImport>> = {
  'contracts-import-nothing': { file: 'contracts/src/wrong.ts', imports: ['node:fs'] },
  'plugin-api-is-thin': { file: 'core/plugin-api/src/wrong.ts', imports: ['zod'] },
  'ui-surface-stands-alone': { file: 'core/ui/src/wrong.ts', imports: ['@gantry/contracts'] },
  'common-knows-no-domain': { file: 'core/common/src/wrong.ts', imports: ['@gantry/core-database'] },
  'plugin-api-layer': { file: 'core/plugin-api/src/wrong-layer.ts', imports: ['@gantry/host'] },
  'supervisor-layer': { file: 'core/supervisor/src/wrong.ts', imports: ['@gantry/host'] },
  'database-layer': { file: 'core/database/src/wrong.ts', imports: ['@gantry/host'] },
  'host-layer': { file: 'core/host/src/wrong.ts', imports: ['@gantry/plugin-catalog'] },
  'launcher-layer': { file: 'core/launcher/src/wrong.ts', imports: ['@gantry/plugin-api'] },
  'client-layer': { file: 'core/client/src/wrong.ts', imports: ['@gantry/contracts'] },
  'create-layer': { file: 'cli/create-gantry/src/wrong.ts', imports: ['@gantry/contracts'] },
  'cli-layer': { file: 'cli/src/wrong.ts', imports: ['@gantry/service-order'] },
  'plugin-layer': { file: 'plugins/catalog/src/wrong.ts', imports: ['@gantry/host'] },
  'workflows-are-deterministic': { file: 'services/order/src/workflows/wrong.ts', imports: ['@temporalio/client'] },
  'content-layer': { file: 'core/content/src/wrong.ts', imports: ['@gantry/core-loader'] },
  'loader-layer': { file: 'core/loader/src/wrong.ts', imports: ['@gantry/core-content'] },
  'http-layer': { file: 'core/http/src/wrong.ts', imports: ['@gantry/core-identity'] },
  'history-layer': { file: 'core/modules/history/src/wrong.ts', imports: ['@gantry/core-identity'] },
  'identity-layer': { file: 'core/modules/identity/src/wrong.ts', imports: ['@gantry/core-webhooks'] },
  'lifecycle-layer': { file: 'core/modules/lifecycle/src/wrong.ts', imports: ['@gantry/core-identity'] },
  'transfer-layer': { file: 'core/modules/transfer/src/wrong.ts', imports: ['@gantry/core-history'] },
  'webhooks-layer': { file: 'core/modules/webhooks/src/wrong.ts', imports: ['@gantry/core-identity'] },
  ...againstDirections('core/content/src', 'content', {
    naming: 'kinds',
    kinds: 'compile',
    compile: 'query',
    policy: 'read',
    query: 'sql',
    sql: 'read',
    read: 'write',
    write: 'plugin-items',
    link: 'query',
    'plugin-items': 'sql',
    folders: 'kinds',
  }),
  ...againstDirections('core/loader/src', 'loader', {
    'plugin-error': 'manifest',
    'plugin-sources': 'manifest',
    'problem-kinds': 'plugin-error',
    manifest: 'record',
    record: 'phases',
    execution: 'record',
    modules: 'phases',
    state: 'phases',
    registration: 'phases',
    phases: 'commands',
    commands: 'execution',
    folders: 'manifest',
  }),
  ...againstDirections('core/http/src', 'http', {
    ports: 'exchange',
    idempotency: 'exchange',
    openapi: 'items',
    exchange: 'items',
    items: 'platform',
    platform: 'items',
    plugins: 'items',
    serve: 'server',
    folders: 'exchange',
  }),
  ...againstDirections('core/modules/transfer/src', 'modules-transfer', {
    limits: 'source',
    'safe-csv': 'transfer-error',
    'time-slice': 'source',
    'transfer-error': 'transfer-format',
    'transfer-format': 'import',
    source: 'reference',
    reference: 'import',
    export: 'import',
    import: 'export',
    routes: 'time-slice',
    folders: 'reference',
  }),
  ...againstDirections('core/modules/lifecycle/src', 'modules-lifecycle', {
    common: 'packages',
    packages: 'plugin-set',
    'plugin-set': 'check',
    settings: 'check',
    check: 'change',
    change: 'routes',
    routes: 'plugin-set',
    folders: 'common',
  }),
  ...againstDirections('core/host/src', 'host', {
    common: 'config',
    temporal: 'config',
    process: 'config',
    config: 'composition',
    composition: 'start',
    start: 'process',
    folders: 'common',
  }),
  ...againstDirections('core/supervisor/src', 'supervisor', {
    child: 'rollout',
    folders: 'child',
  }),
  ...againstDirections('core/launcher/src', 'launcher', {
    common: 'home',
    home: 'servers',
    postgres: 'temporal',
    wheels: 'temporal',
    temporal: 'home',
    servers: 'backup',
    terminal: 'home',
    backup: 'terminal',
    testing: 'backup',
    folders: 'common',
  }),
  ...againstDirections('cli/src', 'cli', {
    common: 'terminal',
    terminal: 'context',
    context: 'commands',
    doctor: 'commands',
    commands: 'arguments',
    arguments: 'doctor',
    folders: 'common',
  }),
  'processes-in-supervisor': { file: 'core/launcher/src/servers/wrong.ts', imports: ['node:child_process'] },
  'sequelize-in-content-and-database': { file: 'core/http/src/mapped.ts', imports: ['sequelize'] },
  'express-in-http': { file: 'core/content/src/served.ts', imports: ['express'] },
  'container-in-one-place': { file: 'core/loader/src/contained.ts', imports: ['tsyringe'] },
  'no-cycles': { file: 'core/host/src/cycle-back.ts', imports: ['./cycle'] },
  'no-deep-imports': { file: 'plugins/articles/src/deep.ts', imports: ['../../catalog/src/catalog'] },
  'no-tests-in-sources': { file: 'cli/src/tested.ts', imports: ['jest'] },
  'no-undeclared-packages': { file: 'cli/src/undeclared.ts', imports: ['left-pad'] },
  'no-unresolvable': { file: 'cli/src/nowhere.ts', imports: ['./does-not-exist'] },
};

/** Allowed imports, so that a rule that forbids everything is found out too. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'contracts/src/index.ts': ['./items'],
  'contracts/src/items.ts': [],
  'core/plugin-api/src/index.ts': ['@gantry/contracts', 'reflect-metadata', 'sequelize-typescript'],
  'core/ui/src/index.ts': ['./components'],
  'core/ui/src/components.ts': [],
  'core/common/src/index.ts': ['./files', 'node:os'],
  'core/common/src/files.ts': ['node:fs', 'zod'],
  'core/http/src/index.ts': ['@gantry/core-content', '@gantry/core-loader'],
  'core/modules/webhooks/src/index.ts': ['@gantry/core-database', '@gantry/core-http'],
  'core/host/src/modules.ts': [
    ...['@gantry/plugin-api', '@gantry/contracts', '@gantry/core-common', '@gantry/core-http', 'node:http'],
  ],
  'core/loader/src/registration/provided-services.ts': ['tsyringe'],
  'core/http/src/app.ts': ['express'],
  'core/content/src/compile.ts': ['sequelize', 'sequelize-typescript'],
  'core/supervisor/src/index.ts': ['./child/watchdog', '@gantry/contracts', '@gantry/core-common', 'zod'],
  'core/supervisor/src/child/watchdog.ts': ['node:timers'],
  'core/supervisor/src/child/spawn-child.ts': ['node:child_process'],
  'core/launcher/src/index.ts': [
    '@gantry/host',
    '@gantry/contracts',
    '@gantry/core-common',
    '@gantry/core-supervisor',
    'node:net',
  ],
  'cli/src/index.ts': ['@gantry/host', '@gantry/launcher', '@gantry/core-common'],
  'plugins/catalog/src/catalog.ts': ['@gantry/plugin-api', '@gantry/contracts', 'sequelize-typescript'],
  'plugins/articles/src/article.ts': ['@gantry/plugin-catalog'],
  'services/order/src/workflows/order.ts': ['@temporalio/workflow', '@gantry/contracts', './steps'],
  'services/order/src/workflows/steps.ts': ['@temporalio/workflow'],
};

/** For each part of a folder: an import of a part that it may not know. `folders` is a new folder that no rule lists. */
function againstDirections(
  root: string,
  area: string,
  wrong: Readonly<Record<string, string>>,
): Readonly<Record<string, WrongImport>> {
  return Object.fromEntries(
    Object.entries(wrong).map(([part, target]) => [
      `${area}-${part}`,
      { file: `${root}/${part}/wrong-way.ts`, imports: [`../${target}/right-way`] },
    ]),
  );
}

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

const kinds = ['effect', 'types'] as const;

/** The place of a wrong import, which is there for its effect and for its types. */
function placeOf(file: string, kind: (typeof kinds)[number]): string {
  return kind === 'effect' ? file : file.replace(/(?:\.ts)?$/, (end) => `-by-type${end}`);
}

describe('the dependency rules', () => {
  let workspace: SampleWorkspace;
  /** All of them, because most of a run is its start. */
  let found: readonly string[];

  beforeAll(async () => {
    workspace = createSampleWorkspace();
    for (const [file, imports] of Object.entries(RIGHT)) workspace.add(file, imports);
    for (const { file, imports } of Object.values(WRONG)) {
      if (file.endsWith('/wrong-way.ts')) workspace.add(join(dirname(file), `${imports[0]}.ts`), []);
      for (const kind of kinds) {
        const targets = imports.map((name) => (name === './cycle' ? placeOf(name, kind) : name));
        workspace.add(placeOf(file, kind), targets, kind);
      }
    }
    for (const kind of kinds) {
      workspace.add(placeOf('core/host/src/cycle.ts', kind), [placeOf('./cycle-back', kind)], kind);
    }
    found = await violations(workspace.folder);
  });

  afterAll(() => workspace.remove());

  it('let every layer import what it stands on', () => {
    expect(found.filter((one) => Object.keys(RIGHT).some((file) => one.endsWith(`: ${file}`)))).toEqual([]);
  });

  it.each(kinds)('catch a wrong import each, for its %s', (kind) => {
    const caught = Object.entries(WRONG).filter(([rule, { file }]) =>
      found.includes(`${rule}: ${placeOf(file, kind)}`),
    );
    expect(caught.map(([rule]) => rule)).toEqual(Object.keys(WRONG));
  });

  it('have a wrong import to catch for each of them', () => {
    const rules: { forbidden: readonly { name: string }[] } = createRequire(__filename)(config);

    expect(Object.keys(WRONG).toSorted()).toEqual(rules.forbidden.map((rule) => rule.name).toSorted());
  });
});

/** The violations dependency-cruiser reports in a folder, each as `rule: file`. */
async function violations(folder: string): Promise<readonly string[]> {
  const folders = ['contracts', 'core', 'plugins', 'services', 'cli'];
  const run = promisify(execFile)(
    process.execPath,
    [command, '--config', config, '--output-type', 'json', ...folders],
    {
      cwd: folder,
      maxBuffer: 32 * 1024 * 1024,
    },
  );
  // The exit code counts the violations; the report on standard output is complete either way.
  const output = await run.catch((error: { readonly stdout: string }) => error);
  const report: { summary: { violations: readonly Violation[] } } = JSON.parse(output.stdout);
  return report.summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`);
}
