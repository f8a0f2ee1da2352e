import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { makeExportsPlain } from './plain-exports.mjs';
import { root, runNode } from './run.mjs';

/** With two processors, which the steps share, several threads of the compiler take half as much processor time again. */
const compilerFlags = availableParallelism() > 2 ? [] : ['--singleThreaded'];

/** Of the admin pages, and of what they are made of; the server side of their plugin is a project of the compiler. */
const pageInputs = [
  ...['plugins/admin-ui/web', 'plugins/admin-ui/package.json', 'package-lock.json'],
  ...['contracts', 'core/ui', 'core/client', 'docs'],
];

/**
 * The steps of a build: the compiler, and steps that run at the same time as it, or after it where they need its output. A
 * step runs when one of its inputs has changed since it last succeeded, or one of its outputs is gone. Paths are relative to the
 * repository; a folder means all files below it.
 * To add one (the pages, a workflow bundle), append { name, needsCompiler, inputs, outputs, run }; `run` resolves with an exit
 * code.
 */
export const buildSteps = [compile(), buildPages(), checkPages(), ...bundleWorkflows(), buildFieldControls()];

function compile() {
  const projects = projectFolders();
  const outputs = projects.map((path) => `${path}/dist`);
  return {
    name: 'compile',
    needsCompiler: false,
    inputs: ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', ...projects],
    outputs,
    async run() {
      // tsc believes its own record and does not notice when the output was deleted.
      const force = outputs.every((path) => existsSync(join(root, path))) ? [] : ['--force'];
      const code = await runCompiler(['--build', ...force]);
      for (const path of outputs) makeExportsPlain(join(root, path));
      return code;
    },
  };
}

/** After the compiler: bundles are made from its output. A project without workflows has no such step. */
function bundleWorkflows() {
  const services = projectFolders().filter((path) => existsSync(join(root, path, 'src/workflows.ts')));
  return [
    {
      name: 'bundle workflows',
      needsCompiler: true,
      inputs: [...['scripts/bundle-workflows.mjs', 'package-lock.json', 'contracts'], ...services],
      outputs: services.map((path) => `${path}/dist/workflow-bundle.js`),
      run: () => runNode('scripts/bundle-workflows.mjs'),
    },
  ];
}

/** The admin pages, for the browser, from sources alone. */
function buildPages() {
  return {
    name: 'build pages',
    needsCompiler: false,
    inputs: pageInputs,
    outputs: ['plugins/admin-ui/dist/web/index.html'],
    run: () => runNode('plugins/admin-ui/web/build.mjs'),
  };
}

function checkPages() {
  return {
    name: 'check pages',
    needsCompiler: true,
    inputs: pageInputs,
    outputs: [],
    run: () => runCompiler(['--project', 'plugins/admin-ui/web']),
  };
}

/** Pages of the plugin of field kinds, built as any plugin builds its own. */
function buildFieldControls() {
  const plugin = 'plugins/field-kinds';
  return {
    name: 'build field controls',
    needsCompiler: true,
    inputs: [`${plugin}/web`, `${plugin}/package.json`, 'package-lock.json', 'core/ui'],
    outputs: [`${plugin}/dist/ui/index.js`],
    async run() {
      const code = await runCompiler(['--project', `${plugin}/web`]);
      const args = ['build', plugin, '--config', `${plugin}/web/vite.config.mjs`];
      return code === 0 ? runNode('node_modules/vite/bin/vite.js', args) : code;
    },
  };
}

function runCompiler(args) {
  return runNode('node_modules/typescript/bin/tsc', [...args, ...compilerFlags]);
}

/** Of all packages with sources, relative to the repository. */
export function projectFolders() {
  return readJson('tsconfig.json').references.map(({ path }) => path);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
