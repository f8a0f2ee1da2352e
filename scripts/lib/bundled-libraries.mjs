import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { root } from './run.mjs';

/**
 * Libraries that packages ship within their `dist/libraries` in place of a dependency, so that an installation of the platform has few
 * packages and none that only a build needs (docs/decisions/0031-author-kit.md).
 * `bundle` names modules that become one file each; `files` are copied as they are, by the module that the code asks for.
 */
const bundled = {
  '@gantry/core-identity': {
    bundle: ['@simplewebauthn/server', '@simplewebauthn/server/helpers', 'openid-client', 'otpauth'],
  },
  '@gantry/core-transfer': { bundle: ['csv-parse', 'csv-stringify/sync'] },
  '@gantry/core-webhooks': { bundle: ['standardwebhooks'] },
  '@gantry/core-loader': { files: { 'recheck/lib/browser.js': ['recheck', ['lib/browser.js']] } },
  '@gantry/core-http': {
    bundle: ['prom-client'],
    files: {
      'swagger-ui-dist/package.json': [
        'swagger-ui-dist',
        ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'LICENSE', 'NOTICE'],
      ],
    },
  },
  '@gantry/host': { copy: { '@temporalio/worker': withoutBundler } },
  '@gantry/launcher': { copy: { '@temporalio/testing': (folder) => folder } },
  '@gantry/plugin-field-kinds': { bundle: ['ajv/dist/2020'] },
  '@gantry/plugin-media': { bundle: ['@aws-sdk/client-s3'] },
};

/** Found at run time through the package that has the copy. */
const copiesOfOthers = {
  '@gantry/launcher': { '@temporalio/worker': '@gantry/host/dist/libraries/@temporalio/worker' },
};

/**
 * Puts the libraries of a package into a copy of it, lets its code ask for them there, and removes their dependencies.
 * @param folder of the copy
 * @param json its package.json
 * @returns the package.json to write
 */
export async function includeLibraries(folder, json) {
  const { bundle = [], files = {}, copy = {} } = bundled[json.name] ?? {};
  const others = copiesOfOthers[json.name] ?? {};
  if (bundle.length + Object.keys(files).length + Object.keys(copy).length === 0) return json;
  const libraries = join(folder, 'dist/libraries');
  const resolve = createRequire(join(root, workspaceOf(json.name), 'package.json'));
  const places = { ...(await bundleAll(bundle, libraries, resolve)) };
  for (const [module, [name, paths]] of Object.entries(files)) {
    const from = packageFolder(name, resolve);
    for (const path of paths.filter((one) => existsSync(join(from, one)))) {
      mkdirSync(dirname(join(libraries, name, path)), { recursive: true });
      cpSync(join(from, path), join(libraries, name, path));
    }
    places[module] = join(libraries, module);
    if (!paths.includes('LICENSE')) copyLicense(from, join(libraries, name));
  }
  for (const [name, change] of Object.entries(copy)) copyPackage(name, libraries, resolve, change);
  for (const name of Object.keys(copy)) places[name] = join(libraries, name, 'lib/index.js');
  dropSourceMaps(libraries);
  rewriteAll(join(folder, 'dist'), places, others);
  return { ...json, dependencies: publishedDependencies(json) };
}

/**
 * The dependencies of a package as it is published: without the libraries within it, and with what copies of packages depend on.
 * @public a test of the architecture runs it in a process that has modules of JavaScript
 */
export function publishedDependencies({ name: owner, dependencies = {} }) {
  const { bundle = [], files = {}, copy = {} } = bundled[owner] ?? {};
  const resolve = createRequire(join(root, workspaceOf(owner), 'package.json'));
  const added = Object.keys(copy).flatMap((name) => dependenciesOfCopy(name, resolve));
  const gone = new Set([...bundle, ...Object.keys(files), ...Object.keys(copy)].map(packageNameOf));
  const kept = Object.entries(dependencies).filter(([name]) => !gone.has(name));
  return Object.fromEntries([...added, ...kept].toSorted(([one], [two]) => (one < two ? -1 : 1)));
}

function dependenciesOfCopy(name, resolve) {
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder(name, resolve), 'package.json'), 'utf8'));
  return Object.keys(dependencies)
    .filter((dependency) => !buildOnly.has(dependency) && dependency !== '@temporalio/worker')
    .map((dependency) => [dependency, versionOf(dependency, resolve)]);
}

async function bundleAll(modules, libraries, { resolve }) {
  if (modules.length === 0) return {};
  const { rolldown } = await import('rolldown');
  const nameOf = (module) => module.replaceAll('/', '-').replaceAll('@', '');
  const input = Object.fromEntries(modules.map((module) => [nameOf(module), resolve(module)]));
  const build = await rolldown({
    input,
    platform: 'node',
    // The decorators of all libraries share one registry.
    external: ['reflect-metadata', /^node:/],
    logLevel: 'silent',
  });
  const { output } = await build.write({
    dir: libraries,
    format: 'cjs',
    exports: 'named',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  writeLicenses(output, libraries);
  return Object.fromEntries(modules.map((module) => [module, join(libraries, `${nameOf(module)}.js`)]));
}

/** The content of the bundles, with the licence of each. */
function writeLicenses(output, libraries) {
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []).filter((id) => id.includes('node_modules'));
  const folders = [
    ...new Set(modules.map((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.split(sep).join('/'))?.[0])),
  ];
  const texts = folders.filter(Boolean).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(join(libraries, 'LICENSES.txt'), texts.toSorted().join(`\n${'-'.repeat(80)}\n\n`));
}

function copyPackage(name, libraries, resolve, change) {
  const from = packageFolder(name, resolve);
  const target = join(libraries, name);
  cpSync(join(from, 'lib'), join(target, 'lib'), {
    recursive: true,
    filter: (path) => !/\.(d\.ts|map)$/.test(path),
  });
  const { version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ name, version, license, main: 'lib/index.js' }, undefined, 2)}\n`,
  );
  copyLicense(from, target);
  change(target);
}

/** The bundler of workflows in Temporal's worker: the platform runs bundles that are there. */
const buildOnly = new Set(['@swc/core', 'memfs', 'source-map-loader', 'swc-loader', 'unionfs', 'webpack']);

function withoutBundler(folder) {
  writeFileSync(
    join(folder, 'lib/workflow/bundler.js'),
    `'use strict';
// Workflows are bundled when a plugin is built, with @temporalio/worker as its development dependency.
Object.defineProperty(exports, '__esModule', { value: true });
const refuse = () => {
  throw new Error('This platform runs workflows that are bundled: bundle them when the plugin is built, with bundleWorkflowCode of @temporalio/worker.');
};
exports.defaultWorkflowInterceptorModules = [require.resolve('../workflow-log-interceptor')];
exports.moduleMatches = refuse;
exports.bundleWorkflowCode = refuse;
exports.WorkflowCodeBundler = class {
  constructor() {
    refuse();
  }
};
`,
  );
}

/** Libraries come without their source maps: nothing refers to them. */
function dropSourceMaps(libraries) {
  for (const entry of readdirSync(libraries, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const without = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
    if (without !== text) writeFileSync(file, without);
  }
}

/** Lets the code of a package ask for its own copies. */
function rewriteAll(dist, places, others) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const rewritten = Object.entries(places).reduce((code, [module, place]) => {
      const path = relative(dirname(file), place).split(sep).join('/');
      return code.replaceAll(asking(module), `$1$2${path.startsWith('.') ? path : `./${path}`}$2)`);
    }, text);
    const complete = Object.entries(others).reduce(
      (code, [module, place]) =>
        code.replaceAll(asking(module), `$1$2${place}/lib/index.js$2)`).replaceAll(`"${module}/lib/`, `"${place}/lib/`),
      rewritten,
    );
    if (complete !== text) writeFileSync(file, complete);
  }
}

/** `require("x")`, `import('x')`, `require.resolve("x")`, `createRequire(__filename)('x')` */
function asking(module) {
  const name = module.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`((?:require|import|resolve|createRequire\)?\(__filename\))\()(["'])${name}\2\)`, 'g');
}

function packageFolder(name, { resolve }) {
  const file = resolve
    .paths(name)
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (file === undefined) throw new Error(`${name} is not installed.`);
  return file;
}

function versionOf(name, resolve) {
  return JSON.parse(readFileSync(join(packageFolder(name, resolve), 'package.json'), 'utf8')).version;
}

function copyLicense(from, target) {
  const file = readdirSync(from).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) cpSync(join(from, file), join(target, file));
}

function packageNameOf(module) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
}

function workspaceOf(name) {
  const folders = ['plugins', 'core', 'core/modules'].map((parent) =>
    join(parent, name.replace(/^@gantry\/(?:plugin-|core-)?/, '')),
  );
  return folders.find((folder) => existsSync(join(root, folder, 'package.json'))) ?? name;
}
