/**
 * `node scripts/structure.mjs [<folder of another work tree>]`: numbers of how the sources are arranged, so that a change of the
 * structure can be compared with what was before. Names of foreign tables are found by `npx jest table-owners`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root as own } from './lib/run.mjs';

const root = resolve(process.argv[2] ?? own);
const packages = workspaceFolders().map(readPackage);
const files = packages.flatMap((one) => one.files);
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const pages = 'plugins/admin-ui/web';
const rooms = roomsOfCore();

print([
  ['packages', packages.length],
  ['largest package besides the pages', largest()],
  ['rooms of core (packages)', rooms.size],
  ['floors of core', Math.max(...[...rooms.keys()].map((room) => floorOf(room)))],
  ['arrows of core', [...rooms.values()].reduce((sum, targets) => sum + targets.size, 0)],
  ...['create-host.ts', 'modules.ts', 'compose.ts'].map(importsOfRoot),
  ['folders of more than 15 source files', crowded()],
  ['files under 40 lines with one importer', singles()],
  ...walks(),
]);

function workspaceFolders() {
  const { workspaces } = readJson('package.json');
  return workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
}

function readPackage(folder) {
  const source = join(root, folder, 'src');
  const found = existsSync(source) ? readdirSync(source, { recursive: true, withFileTypes: true }) : [];
  const names = found.filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name));
  return {
    folder,
    name: existsSync(join(root, folder, 'package.json')) ? readJson(join(folder, 'package.json')).name : undefined,
    files: names.map((entry) => pathOf(join(entry.parentPath, entry.name))),
  };
}

function largest() {
  const counted = packages
    .filter(({ folder }) => folder !== pages)
    .map((one) => [one.folder, one.files.reduce((sum, file) => sum + lineCount(file), 0)]);
  const [folder, lines] = counted.toSorted(([, one], [, two]) => two - one)[0];
  return `${lines} lines (${folder})`;
}

/** The packages of core, with those of core that each imports. */
function roomsOfCore() {
  const ofCore = packages.filter(({ folder }) => folder.startsWith('core/'));
  const named = new Map(ofCore.map(({ name, folder }) => [name, folder]));
  return new Map(
    ofCore.map((one) => {
      const targets = one.files.flatMap((file) => imports.get(file)).map((target) => named.get(packageOf(target)));
      return [one.folder, new Set(targets.filter((target) => target !== undefined && target !== one.folder))];
    }),
  );
}

/** 1 for a package that imports no other. */
function floorOf(room) {
  return 1 + Math.max(0, ...[...rooms.get(room)].map(floorOf));
}

function importsOfRoot(name) {
  const file = `core/host/src/${name}`;
  const found = imports.get(file);
  return [`imports of ${file}`, found === undefined ? 'gone' : new Set(found).size];
}

function crowded() {
  const counts = new Map();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 15).length;
}

/** A name that files export again is imported from the file that has it. */
function singles() {
  const importers = new Map(files.map((file) => [file, new Set()]));
  const statements = new Map(files.map((file) => [file, statementsOf(file)]));
  const originOf = (file, name) => {
    const again = statements.get(file)?.find((one) => one.isExport && one.names.includes(name));
    return again === undefined ? file : originOf(again.target, name);
  };
  for (const [file, found] of statements) {
    const imported = found.filter(({ isExport }) => !isExport);
    const origins = imported.flatMap(({ names, target }) => [target, ...names.map((name) => originOf(target, name))]);
    for (const origin of origins) importers.get(origin)?.add(file);
  }
  const entries = new Set(packages.flatMap(entriesOf));
  return files.filter((file) => importers.get(file).size === 1 && lineCount(file) < 40 && !entries.has(file)).length;
}

/** Imports, and exports from other files, with their names. */
function statementsOf(file) {
  const found = readFileSync(join(root, file), 'utf8').matchAll(
    /(import|export)\s+(?:type\s+)?(?:\w+,?\s*)?(?:\{([^}]*)\}\s*from\s*)?(?:\*[^']*from\s*)?'([^']+)'|import\('([^']+)'\)/g,
  );
  return [...found].map(([, word, names = '', target, loaded]) => ({
    isExport: word === 'export',
    names: names.split(',').flatMap((name) => /^(?:type\s+)?(\w+)/.exec(name.trim())?.[1] ?? []),
    target: (target ?? loaded).startsWith('.') ? resolved(file, target ?? loaded) : entryOf(target ?? loaded),
  }));
}

/** Counted in the page about the architecture; test/architecture/walks.test.ts compares it with what runs. */
function walks() {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  return page.split(/^## /m).flatMap((section) => {
    const title = section.split('\n', 1)[0];
    const named = new Set([...section.matchAll(/`([\w./-]+[.]ts)`/g)].map(([, file]) => file));
    return title.startsWith('The way of ') ? [[`files on t${title.slice(1)}`, named.size]] : [];
  });
}

/** Paths of files of the workspace, and names of packages. */
function importsOf(file) {
  const found = readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\(|import )'([^']+)'/g);
  return [...found].map(([, target]) => (target.startsWith('.') ? resolved(file, target) : target));
}

function resolved(file, target) {
  const base = join(root, dirname(file), target);
  const path = [`${base}.ts`, `${base}.tsx`, join(base, 'index.ts'), join(base, 'index.tsx')].find((one) =>
    existsSync(one),
  );
  return pathOf(path ?? base);
}

/** The source of what a package, or a path of it, gives others; the name itself for packages of others. */
function entryOf(target) {
  const found = packages.find(({ name }) => name === packageOf(target));
  return found === undefined ? target : (sourceOf(found, `.${target.slice(found.name.length)}`) ?? target);
}

function entriesOf(found) {
  return Object.keys(exportsOf(found)).flatMap((path) => sourceOf(found, path) ?? []);
}

function exportsOf({ folder, name }) {
  return (name !== undefined && readJson(join(folder, 'package.json')).exports) || {};
}

function sourceOf(found, path) {
  const built = /^[.]\/dist\/(.*)[.]js$/.exec(exportsOf(found)[path]?.default)?.[1];
  return built && `${found.folder}/src/${built}.ts`;
}

function packageOf(target) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0];
}

function pathOf(file) {
  return relative(root, file).split(sep).join('/');
}

function lineCount(file) {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1;
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function print(rows) {
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${value}`);
}
