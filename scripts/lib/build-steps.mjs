import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './run.mjs';

/**
 * What a build consists of, in order. A step runs when one of its inputs has changed since it last succeeded, or one of
 * its outputs is gone. Paths are relative to the repository; a folder stands for all files below it.
 * To add one (the pages, a workflow bundle), append { name, inputs, outputs, run }; `run` resolves with an exit code.
 */
export const buildSteps = [compile()];

function compile() {
  const projects = readJson('tsconfig.json').references.map(({ path }) => path);
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

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
