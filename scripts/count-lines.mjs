/**
 * `node scripts/count-lines.mjs [<commit>]`: lines of source, tests and generated files of each package, in the work tree or
 * at a commit. Blank lines and comments count. A copy of the files is formatted by oxfmt with the settings below first, so
 * that counts before and after a change of the line width can be compared.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolders } from './lib/build-steps.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root } from './lib/run.mjs';

/** The settings of .oxfmtrc.json when the first count was published. */
const format = {
  printWidth: 120,
  tabWidth: 2,
  semi: true,
  singleQuote: true,
  trailingComma: 'all',
  ignorePatterns: ['**/*.{json,md}', '**/fixtures/**', 'test/samples/**'],
};
const code = /[.](?:ts|tsx|mjs|cjs|js|css)$/;
const test = /(?:^|[/])test[/]/;
const generated =
  /^(?:test[/](?:texts|api-reports)[/]|docs[/]errors[.]md$|core[/]client[/]src[/]platform-types[.]ts$|cli[/]src[/]arguments[/]route-usage[.]ts$|[.]oxlintrc[.]pages[.]json$)/;
const columns = ['source', 'tests', 'generated'];

await ensureInstalled({ withTools: true });
const copy = mkdtempSync(join(tmpdir(), 'gantry-count-'));
try {
  print(countIn(copyFiles(process.argv[2])));
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies the files of the commit, or of the work tree, and returns their names. */
function copyFiles(commit) {
  const names = (commit === undefined ? workTree() : atCommit(commit)).filter((name) => kindOf(name) !== undefined);
  writeFileSync(join(copy, '.oxfmtrc.json'), JSON.stringify(format));
  execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'], { cwd: copy, stdio: 'inherit' });
  return names;
}

function workTree() {
  const names = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').filter((name) =>
    existsSync(join(root, name)),
  );
  for (const name of names) if (kindOf(name) !== undefined) cpSync(join(root, name), join(copy, name));
  return names;
}

function atCommit(commit) {
  const archive = join(copy, 'files.tar');
  git('archive', '--output', archive, commit);
  execFileSync('tar', ['-xf', archive, '-C', copy]);
  return git('ls-tree', '-r', '-z', '--name-only', commit);
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((name) => name !== '');
}

/** Undefined for files that are not counted: documents, data, pictures. */
function kindOf(name) {
  if (generated.test(name)) return 'generated';
  if (!code.test(name)) return undefined;
  return test.test(name) ? 'tests' : 'source';
}

function countIn(names) {
  const folders = projectFolders().toSorted((a, b) => b.length - a.length);
  const counts = {};
  for (const name of names) {
    const shared = name.includes('/') ? name.slice(0, name.indexOf('/')) : '(repository)';
    const owner = folders.find((folder) => name.startsWith(`${folder}/`)) ?? shared;
    counts[owner] ??= Object.fromEntries(columns.map((column) => [column, 0]));
    counts[owner][kindOf(name)] += linesOf(join(copy, name));
  }
  return counts;
}

function linesOf(path) {
  if (!statSync(path).isFile()) return 0;
  return readFileSync(path, 'utf8').split('\n').length - 1;
}

function print(counts) {
  const total = Object.fromEntries(
    columns.map((column) => [column, Object.values(counts).reduce((sum, count) => sum + count[column], 0)]),
  );
  const names = Object.keys(counts).toSorted();
  const row = (name, cells) => `${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
  const figures = (count) => columns.map((column) => count[column].toLocaleString('en'));
  console.log(row('lines', columns));
  for (const name of names) console.log(row(name, figures(counts[name])));
  console.log(row('all', figures(total)));
}
