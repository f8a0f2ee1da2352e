import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './run.mjs';

/**
 * What a build consists of: the compiler first, and then all others at the same time, which need its output. A step runs when
 * one of its inputs has changed since it last succeeded, or one of its outputs is gone. Paths are relative to the repository; a
 * folder means all files below it.
 * To add one (the pages, a workflow bundle), append { name, inputs, outputs, run }; `run` resolves with an exit code.
 */
export const buildSteps = [compile(), ...bundleWorkflows(), buildPages(), buildFieldControls()];

function compile() {
  const projects = projectFolders();
  const outputs = projects.map((path) => `${path}/dist`);
  return {
    name: 'compile',
    inputs: ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', ...projects],
    outputs,
    run: () => {
      // tsc believes its own record and does not notice when the output was deleted.
      const force = outputs.every((path) => existsSync(join(root, path))) ? [] : ['--force'];
      return runNode('node_modules/typescript/bin/tsc', ['--build', ...force]);
    },
  };
}

/** After the compiler: bundles are made from its output. A project without workflows has no such step. */
function bundleWorkflows() {
  const services = projectFolders().filter((path) => existsSync(join(root, path, 'src/workflows.ts')));
  return [
    {
      name: 'bundle workflows',
      inputs: [
        ...['scripts/bundle-workflows.mjs', 'package-lock.json', 'contracts', 'core/host/src/subscriptions'],
        ...services,
      ],
      outputs: [
        'core/host/dist/subscriptions/workflow-bundle.js',
        ...services.map((path) => `${path}/dist/workflow-bundle.js`),
      ],
      run: () => runNode('scripts/bundle-workflows.mjs'),
    },
  ];
}

/** The admin pages, for the browser; the server side of their plugin is a project of the compiler. */
function buildPages() {
  return {
    name: 'build pages',
    inputs: [
      'plugins/admin-ui/web',
      'plugins/admin-ui/package.json',
      'package-lock.json',
      'contracts',
      'core/ui',
      'docs',
    ],
    outputs: ['plugins/admin-ui/dist/web/index.html'],
    run: () => runNode('plugins/admin-ui/web/build.mjs'),
  };
}

/** What the plugin of field kinds adds to the pages, built as any plugin builds its own. */
function buildFieldControls() {
  const plugin = 'plugins/field-kinds';
  return {
    name: 'build field controls',
    inputs: [`${plugin}/web`, `${plugin}/package.json`, 'package-lock.json', 'core/ui'],
    outputs: [`${plugin}/dist/ui/index.js`],
    async run() {
      const code = await runNode('node_modules/typescript/bin/tsc', ['--project', `${plugin}/web`]);
      const args = ['build', plugin, '--config', `${plugin}/web/vite.config.mjs`];
      return code === 0 ? runNode('node_modules/vite/bin/vite.js', args) : code;
    },
  };
}

/** Of all packages with sources, relative to the repository. */
export function projectFolders() {
  return readJson('tsconfig.json').references.map(({ path }) => path);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
