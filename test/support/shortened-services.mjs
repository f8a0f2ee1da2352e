/**
 * Makes the order services as separate plugin folders, whose workflows are the built ones with other time limits: in the copy of
 * each bundle, the module with the limits of the contracts ends with other values. Only bundles differ from the build.
 *
 *   node test/support/shortened-services.mjs <folder> [JSON of { timeLimits, activityRetries, paymentWaits }]
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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
  mkdirSync(plugins, { recursive: true });
  const limits = otherLimits(changes);
  for (const service of services) copyService(service, join(plugins, service));
  for (const service of ['order', 'consignment']) {
    const bundle = join(plugins, service, 'dist', 'workflow-bundle.js');
    writeFileSync(bundle, shorten(readFileSync(bundle, 'utf8'), limits));
  }
  return plugins;
}

/** Statements at the end of the module with the limits. */
function otherLimits({ timeLimits = {}, activityRetries = {}, paymentWaits = {} }) {
  const { timeLimits: known, activityRetries: retries } = require(join(project, 'contracts/dist/orders/limits.js'));
  const unknown = [
    ...Object.keys(timeLimits).filter((name) => !(name in known)),
    ...Object.keys(activityRetries).filter((name) => !(name in retries)),
  ];
  if (unknown.length > 0) throw new Error(`The contracts have no limit ${unknown.join(', ')}.`);
  const limits = { ...known, ...timeLimits };
  return (workflowModule) => `
    const waits = ${JSON.stringify(Object.entries(paymentWaits))};
    exports.timeLimits = {
      ...${JSON.stringify(limits)},
      get paymentWait() {
        const { workflowId } = __webpack_require__(${workflowModule}).workflowInfo();
        return waits.find(([end]) => workflowId.endsWith(end))?.[1] ?? ${limits.paymentWait};
      },
    };
    exports.activityRetries = ${JSON.stringify({ ...retries, ...activityRetries })};`;
}

/** The modules of a bundle are in it as text, each under its name. */
function shorten(code, limits) {
  const workflowModule = /^\/\*{3}\/ ("[^"\n]*\/@temporalio\/workflow\/lib\/index\.js")$/m.exec(code)?.[1];
  const limitsModule = /^\/\*{3}\/ "[^"\n]*contracts\/dist\/orders\/limits\.js"$[^]*?(?=^\/\*{3}\/ })/m.exec(code)?.[0];
  if (workflowModule === undefined || limitsModule === undefined) {
    throw new Error(
      'A workflow bundle has no module of @temporalio/workflow or of the limits: see scripts/bundle-workflows.mjs.',
    );
  }
  return code.replace(limitsModule, () => `${limitsModule.trimEnd()}${limits(workflowModule)}\n\n\n`);
}

/** Everything that a package resolves stays what it is in the project. */
function copyService(service, folder) {
  const source = join(project, 'services', service);
  cpSync(join(source, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(source, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, changes = '{}'] = process.argv.slice(2);
  console.log(await makeShortenedServices(resolve(folder), JSON.parse(changes)));
}
