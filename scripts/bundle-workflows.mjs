/**
 * Bundles the workflow code of every service whose build has a dist/workflows.js into dist/workflow-bundle.js, so that
 * the host starts without bundling. Runs after tsc; a bundle that is newer than all it is made from is left alone.
 *
 *   node scripts/bundle-workflows.mjs [service folder …]
 */
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * @param {readonly string[]} folders service folders; every one of the project's unless given
 * @returns {Promise<readonly string[]>} the bundles that were written
 */
export async function bundleWorkflows(folders = []) {
  const services = folders.length > 0 ? folders.map((folder) => resolve(folder)) : await serviceFolders();
  const written = [];
  for (const service of services) {
    const folder = join(service, 'dist');
    if (!existsSync(join(folder, 'workflows.js'))) continue;
    const source = join(folder, 'workflows.js');
    const bundle = join(folder, 'workflow-bundle.js');
    if (await isFresh(bundle, folder)) continue;
    await writeBundle(source, bundle);
    written.push(bundle);
  }
  return written;
}

async function serviceFolders() {
  const entries = await readdir(join(project, 'services'), { withFileTypes: true });
  const services = entries.filter((entry) => entry.isDirectory()).map((entry) => join(project, 'services', entry.name));
  return [...services, join(project, 'core/modules/webhooks')];
}

async function isFresh(bundle, folder) {
  if (!existsSync(bundle)) return false;
  const { mtimeMs } = await stat(bundle);
  const sdk = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  const inputs = [
    sdk,
    fileURLToPath(import.meta.url),
    ...(await codeOf(folder)).filter((file) => file !== bundle),
    ...(await codeOf(join(project, 'contracts', 'dist'))),
  ];
  const times = await Promise.all(inputs.map(async (file) => (await stat(file)).mtimeMs));
  return times.every((time) => time < mtimeMs);
}

async function codeOf(folder) {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => entry.endsWith('.js')).map((entry) => join(folder, entry));
}

/** Written to a temporary file and renamed, so that a host never reads half a bundle. */
async function writeBundle(source, bundle) {
  // Webpack is loaded only when there is something to bundle.
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: source, logger: quiet });
  await writeFile(`${bundle}.new`, code);
  await rename(`${bundle}.new`, bundle);
}

const log = () => undefined;
const quiet = {
  log,
  trace: log,
  debug: log,
  info: log,
  warn: (message) => console.warn(message),
  error: (message) => console.error(message),
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const bundle of await bundleWorkflows(process.argv.slice(2))) console.log(`bundled ${bundle}`);
}
