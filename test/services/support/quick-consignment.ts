import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispatchedMarker } from '@gantry/contracts';
import { bundleOnce } from '../../support/bundle-once';

const project = join(__dirname, '..', '..', '..');

/** Ends as soon as the parcel left, unless it stays on its way; the order id decides whether that was a delivery, and what a cancellation does. */
const source = `
const { ApplicationFailure, condition, defineQuery, defineSignal, patched, setHandler } = require('@temporalio/workflow');
exports.startConsignment = async (orderId) => {
  let isDispatched = false;
  setHandler(defineSignal('shipmentDispatched'), () => { isDispatched = true; });
  const step = () => (isDispatched ? 'SLEEPING' : 'WAITING_FOR_DISPATCH');
  setHandler(defineQuery('consignmentState'), () => ({ orderId, step: step() }));
  try {
    await condition(() => isDispatched);
    patched('${dispatchedMarker}');
    await condition(() => !orderId.startsWith('in-transit'));
  } catch (error) {
    if (orderId.startsWith('on-its-way')) return 'DELIVERED';
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
  const bundle = await bundleOnce(folder, 'quick-consignment');
  return { bundle, remove: () => rm(folder, { recursive: true, force: true }) };
}
