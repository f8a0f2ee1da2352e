/**
 * Makes the order services as separate plugin folders, whose workflows are the built ones with other time limits: the
 * contracts are copied with changed limits, and the workflows bundled against that copy. Only bundles differ from the build.
 *
 *   node test/support/shortened-services.mjs <folder> [JSON of { timeLimits, activityRetries, paymentWaits }]
 */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const require = createRequire(import.meta.url);
const project = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const services = ['order', 'email', 'payment', 'consignment', 'ops'];

/**
 * @param {string} folder an empty one; `plugins` in it becomes the plugin path
 * @param {{ timeLimits?: Record<string, number>, activityRetries?: Record<string, object>, paymentWaits?: Record<string, number> }} changes
 *   by name; `paymentWaits` by what the ids of orders end with
 * @returns {Promise<string>} the plugin path
 */
export async function makeShortenedServices(folder, changes) {
  const plugins = join(folder, 'plugins');
  const contracts = join(folder, 'contracts');
  mkdirSync(plugins, { recursive: true });
  cpSync(join(project, 'contracts', 'dist'), contracts, { recursive: true });
  shorten(join(contracts, 'orders', 'limits.js'), changes);
  for (const service of services) copyService(service, join(plugins, service));
  for (const service of ['order', 'consignment']) {
    const file = join(plugins, service, 'dist', 'workflow-bundle.js');
    writeFileSync(file, await bundle(join(project, 'services', service, 'dist', 'workflows.js'), contracts));
  }
  return plugins;
}

function shorten(file, { timeLimits = {}, activityRetries = {}, paymentWaits = {} }) {
  const { timeLimits: known, activityRetries: retries } = require(file);
  const unknown = [
    ...Object.keys(timeLimits).filter((name) => !(name in known)),
    ...Object.keys(activityRetries).filter((name) => !(name in retries)),
  ];
  if (unknown.length > 0) throw new Error(`The contracts have no limit ${unknown.join(', ')}.`);
  const limits = { ...known, ...timeLimits };
  const policies = { ...retries, ...activityRetries };
  writeFileSync(
    file,
    `const { workflowInfo } = require('@temporalio/workflow');
     const waits = ${JSON.stringify(Object.entries(paymentWaits))};
     exports.timeLimits = {
       ...${JSON.stringify(limits)},
       get paymentWait() {
         const { workflowId } = workflowInfo();
         return waits.find(([end]) => workflowId.endsWith(end))?.[1] ?? ${limits.paymentWait};
       },
     };
     exports.activityRetries = ${JSON.stringify(policies)};`,
  );
}

/** Everything that a package resolves stays what it is in the project. */
function copyService(service, folder) {
  const source = join(project, 'services', service);
  cpSync(join(source, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(source, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

async function bundle(workflowsPath, contracts) {
  const webpackConfigHook = (config) => {
    const alias = {
      '@gantry/contracts': join(contracts, 'index.js'),
      '@temporalio/workflow$': require.resolve('@temporalio/workflow'),
    };
    return { ...config, resolve: { ...config.resolve, alias: Object.assign(alias, config.resolve?.alias) } };
  };
  return (await bundleWorkflowCode({ workflowsPath, logger: quiet, webpackConfigHook })).code;
}

const log = () => undefined;
const quiet = { log, trace: log, debug: log, info: log, warn: console.warn, error: console.error };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, changes = '{}'] = process.argv.slice(2);
  console.log(await makeShortenedServices(resolve(folder), JSON.parse(changes)));
}
