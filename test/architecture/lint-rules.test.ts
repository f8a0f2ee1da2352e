import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');

/** For each rule that the house style leans on: a file that breaks it. */
const WRONG: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'typescript(no-floating-promises)': [
    'core/host/src/floating.ts',
    `import { readFile } from 'node:fs/promises';\nexport function read(): void {\n  readFile('a');\n}\n`,
  ],
  'typescript(no-explicit-any)': ['core/host/src/any.ts', 'export type Anything = any;\n'],
  'typescript(no-non-null-assertion)': [
    'core/host/src/sure.ts',
    'export const sure = (text?: string): string => text!;\n',
  ],
  'typescript(consistent-type-imports)': [
    'core/host/src/imported.ts',
    `import { Stats } from 'node:fs';\nexport type Size = Stats['size'];\n`,
  ],
  'eslint(no-console)': ['plugins/catalog/src/loud.ts', `export const shout = (): void => console.log('x');\n`],
  'eslint(max-lines)': [
    'cli/src/long.ts',
    Array.from({ length: 301 }, (_, n) => `export const n${n} = ${n};\n`).join(''),
  ],
  'import(no-default-export)': ['core/host/src/nameless.ts', 'export default 1;\n'],
  'eslint(no-restricted-imports)': [
    'plugins/admin-ui/web/src/page.ts',
    `import { version } from '@gantry/host';\nexport const host = version;\n`,
  ],
  'import(no-cycle)': [
    'plugins/admin-ui/web/src/first.tsx',
    `import type { Second } from './second';\nexport interface First {\n  readonly next: Second;\n}\n`,
  ],
  'jest(no-focused-tests)': ['core/host/test/only.test.ts', `it.only('works', () => expect(1).toBe(1));\n`],
  'jest(expect-expect)': ['core/host/test/none.test.ts', `it('works', () => undefined);\n`],
  'jest(no-disabled-tests)': ['core/host/test/skip.test.ts', `it.skip('works', () => expect(1).toBe(1));\n`],
};

const pages = 'plugins/admin-ui/web/src';
/** For each folder of the pages: the other folders that it may import. */
const PAGES: Readonly<Record<string, readonly string[]>> = createRequire(__filename)(
  join(root, '.dependency-directions.cjs'),
)[pages];

/** Linted files: all at once, because most of a run is its start. */
let workspace: Workspace;
let violations: readonly string[];
const partsBut = (name: string) => [...Object.keys(PAGES), 'router'].filter((part) => part !== name);

beforeAll(async () => {
  workspace = createWorkspace();
  for (const [file, text] of Object.values(WRONG)) workspace.add(file, text);
  workspace.add('plugins/admin-ui/web/src/second.tsx', `export type { First as Second } from './first';\n`);
  workspace.add('core/host/src/good.ts', 'export const answer = (): number => 42;\n');
  workspace.add('cli/src/loud.ts', `export const shout = (): void => console.log('x');\n`);
  for (const name of Object.keys(PAGES)) {
    for (const part of partsBut(name)) {
      workspace.add(`${pages}/${name}/of-${part}.ts`, `export type * from '../${part}/part';\n`);
      workspace.add(`${pages}/${name}/deep/of-${part}.ts`, `export { a } from '../../${part}';\n`);
    }
  }
  violations = await workspace.violations();
});
afterAll(() => workspace.remove());

describe('the lint rules', () => {
  it('catch what the house style forbids', () => {
    const expected = Object.entries(WRONG).map(([rule, [file]]) => `${rule}: ${file}`);
    expect(violations).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['good code pass', 'core/host/src/good.ts'],
    ['the command line talk to its terminal', 'cli/src/loud.ts'],
  ])('let %s', (_what, file) => {
    expect(violations.filter((found) => found.endsWith(`: ${file}`))).toEqual([]);
  });

  it('list every folder of the pages', () => {
    expect(foldersOf(join(root, pages))).toEqual(Object.keys(PAGES).toSorted());
  });

  it('are generated from the table of directions, without a difference', async () => {
    const script = join(root, 'scripts/lib/page-import-rules.mjs');
    const { pageImportRules } = (await import(script)) as { readonly pageImportRules: () => string };

    expect(readFileSync(join(root, '.oxlintrc.pages.json'), 'utf8')).toBe(pageImportRules());
  });
});

describe('the lint rules about the folders of the pages', () => {
  it.each(Object.entries(PAGES))('let %s import what is listed, and no other', (name, allowed) => {
    const forbidden = partsBut(name)
      .filter((part) => !allowed.includes(part))
      .flatMap((part) => [`of-${part}`, `deep/of-${part}`]);

    const expected = forbidden.map((file) => `eslint(no-restricted-imports): ${pages}/${name}/${file}.ts`);
    const refused = violations.filter((found) => found.startsWith('eslint(no-restricted-imports)'));
    expect(refused.filter((found) => found.includes(`/src/${name}/`)).toSorted()).toEqual(expected.toSorted());
  });
});

interface Workspace {
  add(path: string, text: string): void;
  /** Reports of oxlint for the folder, each as `rule: file`. */
  violations(): Promise<readonly string[]>;
  remove(): void;
}

/** A folder with the rules of this project and no files. */
function createWorkspace(): Workspace {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-lint-')));
  const folder = join(parent, 'workspace');
  // Above the workspace, where types are found and nothing is linted.
  symlinkSync(join(root, 'node_modules'), join(parent, 'node_modules'), 'junction');
  mkdirSync(folder);
  for (const file of ['.oxlintrc.json', '.oxlintrc.pages.json']) copyFileSync(join(root, file), join(folder, file));
  const add: Workspace['add'] = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  add('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['**/*.ts'] }));
  return {
    add,
    async violations() {
      const command = join(root, 'node_modules/oxlint/bin/oxlint');
      const run = promisify(execFile)(process.execPath, [command, '--format', 'json', '.'], { cwd: folder });
      // The exit code says whether there was any; the report on standard output is complete either way.
      const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
      const report: { diagnostics: readonly { code: string; filename: string }[] } = JSON.parse(stdout);
      return report.diagnostics.map(({ code, filename }) => `${code}: ${filename}`);
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

/** Folders with source files; fonts have no imports that a rule could refuse. */
function foldersOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isDirectory() && hasSource(join(folder, entry.name)) ? [entry.name] : []))
    .toSorted();
}

function hasSource(folder: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) => /\.tsx?$/.test(file));
}
