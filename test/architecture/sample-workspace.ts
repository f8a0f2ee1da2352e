import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PACKAGES: Readonly<Record<string, string>> = {
  '@gantry/contracts': 'contracts',
  '@gantry/core-common': 'core/common',
  '@gantry/core-database': 'core/database',
  ...Object.fromEntries(['content', 'loader', 'http'].map((name) => [`@gantry/core-${name}`, `core/${name}`])),
  ...Object.fromEntries(
    ['history', 'identity', 'transfer', 'webhooks'].map((name) => [`@gantry/core-${name}`, `core/modules/${name}`]),
  ),
  '@gantry/core-supervisor': 'core/supervisor',
  '@gantry/plugin-api': 'core/plugin-api',
  '@gantry/ui': 'core/ui',
  '@gantry/host': 'core/host',
  '@gantry/launcher': 'core/launcher',
  '@gantry/cli': 'cli',
  '@gantry/plugin-articles': 'plugins/articles',
  '@gantry/plugin-catalog': 'plugins/catalog',
  '@gantry/service-order': 'services/order',
};

const LIBRARIES = [
  '@temporalio/client',
  '@temporalio/workflow',
  'express',
  'jest',
  'left-pad',
  'reflect-metadata',
  'sequelize',
  'sequelize-typescript',
  'tsyringe',
  'zod',
];

export type ImportKind = 'effect' | 'types';

export interface SampleWorkspace {
  readonly folder: string;
  /** Adds a source file that imports the given modules: for their effect, unless only for their types. */
  add(path: string, imports: readonly string[], kind?: ImportKind): void;
  remove(): void;
}

/** A workspace laid out as this one, with built packages and libraries that are empty, in a temporary folder. */
export function createSampleWorkspace(): SampleWorkspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-architecture-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const declared = Object.fromEntries(LIBRARIES.filter((name) => name !== 'left-pad').map((name) => [name, '1.0.0']));
  for (const [name, path] of Object.entries(PACKAGES)) {
    write(`${path}/package.json`, JSON.stringify({ name, main: './dist/index.js', dependencies: declared }));
    write(`${path}/dist/index.js`, '');
    write(`${path}/dist/inner.js`, '');
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, path), link, 'junction');
  }
  for (const name of LIBRARIES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  write('package.json', '{}');
  return {
    folder,
    add: (path, imports, kind = 'effect') => write(path, imports.map((name) => importOf(name, kind)).join('')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function importOf(name: string, kind: ImportKind): string {
  return kind === 'effect' ? `import '${name}';\n` : `export type * from '${name}';\n`;
}
