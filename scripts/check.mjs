/**
 * `npm run check`: everything that is held by a tool and not by a test. Each step is named, shows its own output, and runs
 * even when one before it failed. Pass names to run only those: `npm run check -- lint types`.
 */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run.mjs';
import { forgetTally, writeTally } from './lib/tally.mjs';

const workspace = ['contracts', 'core', 'plugins', 'services', 'cli', 'test'];

const steps = {
  build: () => ensureBuilt(),
  format: () => tool('node_modules/oxfmt/bin/oxfmt', ['--check', '.']),
  lint: () => tool('node_modules/oxlint/bin/oxlint', ['.']),
  types: async () => {
    for (const project of ['tsconfig.test.json', 'plugins/admin-ui/web/tsconfig.test.json']) {
      await tool('node_modules/typescript/bin/tsc', ['--project', project]);
    }
  },
  dependencies: () => tool('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', workspace),
  'dead-code': () => tool('node_modules/knip/bin/knip.js', ['--no-config-hints']),
  api: () => tool('scripts/api-report.mjs', []),
  openapi: () => tool('scripts/lint-openapi.mjs', []),
  docs: () => tool('scripts/generate-docs.mjs', ['--check']),
};

process.exitCode = await check(process.argv.slice(2));

async function check(names) {
  const unknown = names.filter((name) => !(name in steps));
  if (unknown.length > 0) {
    console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
    return 2;
  }
  forgetTally('checks');
  await ensureInstalled({ withTools: true });
  const failed = [];
  const chosen = names.length > 0 ? names : Object.keys(steps);
  for (const name of chosen) {
    if (!(await passes(name))) failed.push(name);
  }
  console.log(failed.length === 0 ? `\nAll ${chosen.length} checks passed.` : `\nFailed: ${failed.join(', ')}.`);
  const failures = failed.map((name) => `npm run check -- ${name}`);
  writeTally('checks', { passed: chosen.length - failed.length, failed: failed.length, failures });
  return failed.length === 0 ? 0 : 1;
}

async function passes(name) {
  console.log(`\n--- ${name}`);
  const begin = performance.now();
  try {
    await steps[name]();
    console.log(`--- ${name} passed in ${seconds(begin)} s`);
    return true;
  } catch (error) {
    console.error(`--- ${name} FAILED after ${seconds(begin)} s: ${error.message}`);
    return false;
  }
}

async function tool(file, args) {
  const code = await runNode(file, args);
  if (code !== 0) throw new Error(`exit code ${code}`);
}

function seconds(begin) {
  return ((performance.now() - begin) / 1000).toFixed(1);
}
