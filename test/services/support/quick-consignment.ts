import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const project = join(__dirname, '..', '..', '..');

/** Ends as soon as the parcel left; the order id decides whether that was a delivery, and what a cancellation does. */
const source = `
const { ApplicationFailure, condition, defineQuery, defineSignal, setHandler } = require('@temporalio/workflow');
exports.startConsignment = async (orderId) => {
  let isDispatched = false;
  setHandler(defineSignal('shipmentDispatched'), () => { isDispatched = true; });
  setHandler(defineQuery('consignmentState'), () => ({ orderId, step: 'WAITING_FOR_DISPATCH' }));
  try {
    await condition(() => isDispatched);
  } catch (error) {
    if (orderId.includes('child-fails')) throw ApplicationFailure.nonRetryable('the consignment fails on purpose');
    throw error;
  }
  if (orderId.startsWith('fails')) throw ApplicationFailure.nonRetryable('the consignment fails on purpose');
  return orderId.startsWith('undelivered') ? 'UNDELIVERED' : 'DELIVERED';
};
`;

/** A stand-in for the consignment workflow without its waits, for servers whose time is real. */
export interface QuickConsignment {
  readonly bundle: string;
  remove(): Promise<void>;
}

export async function bundleQuickConsignment(): Promise<QuickConsignment> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-consignment-'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'workflows.js'), source);
  const bundle = join(folder, 'dist', 'workflow-bundle.js');
  await bundleOnce(folder, bundle);
  return { bundle, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes the bundle, or copies the one that another file of the test run has made. */
async function bundleOnce(folder: string, bundle: string): Promise<void> {
  const runFolder = process.env['GANTRY_TEST_CODE_CACHE'];
  const kept = runFolder === undefined ? undefined : join(runFolder, 'quick-consignment.js');
  if (kept !== undefined && existsSync(kept)) return copyFile(kept, bundle);
  await promisify(execFile)(process.execPath, [join(project, 'scripts', 'bundle-workflows.mjs'), folder]);
  if (kept === undefined) return;
  // Another worker may copy it at this moment.
  const own = `${kept}.${process.pid}`;
  await copyFile(bundle, own);
  await rename(own, kept);
}
