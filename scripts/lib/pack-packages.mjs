import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { includeLibraries } from './bundled-libraries.mjs';
import { root } from './run.mjs';

const run = promisify(execFile);

/**
 * Packs every public package as it is published: what its `files` name, with the libraries that it ships in its `dist`.
 * @param target folder of the tarballs
 * @returns what npm says about each: name, version, file name, sizes, files
 */
export async function packPackages(target) {
  mkdirSync(target, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), 'gantry-pack-'));
  try {
    const folders = await Promise.all(
      publicPackages().map((path) => stage(path, join(staging, path.replaceAll('/', '-')))),
    );
    const words = ['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', target];
    const { stdout } = await run('npm', words, { cwd: staging, maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The command of @gantry/cli as a package that `npx gantry` finds outside a project. No workspace: it has the version of the CLI. */
const commandPackage = 'cli/gantry';

/** Folders of the packages that are published. */
function publicPackages() {
  const { workspaces } = readJson(join(root, 'package.json'));
  const folders = workspaces.flatMap((pattern) => expand(pattern));
  return [...folders.filter((folder) => readPackage(folder).private !== true), commandPackage];
}

function readPackage(folder) {
  const json = readJson(join(root, folder, 'package.json'));
  if (folder !== commandPackage) return json;
  const { version } = readPackage('cli');
  return { ...json, version, dependencies: { '@gantry/cli': version } };
}

async function stage(path, folder) {
  const from = join(root, path);
  const json = readPackage(path);
  for (const name of [...json.files, 'README.md', 'LICENSE']) {
    cpSync(join(from, name), join(folder, name), { recursive: true });
  }
  const { devDependencies: _forDevelopment, ...published } = await includeLibraries(folder, json);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  return folder;
}

/** `plugins/*` is every folder there that has a package.json. */
function expand(pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -'/*'.length);
  return readdirSync(join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
