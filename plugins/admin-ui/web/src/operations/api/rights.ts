import { permissionsOfSignals, type SignalName } from '@gantry/contracts';
import { isReaderAdministrator, mayReader } from '../../api/platform/initial-data';
import type { OrderReport } from './orders';

/** Whether the reader may cancel, terminate, reset and signal workflows. */
export const mayControl = mayReader('ops.control');
/** Whether the reader may refund, deliver again, settle and acknowledge orders. */
export const mayDecide = mayReader('order.control');
export const mayPlaceOrders = mayReader('order.place');

export function mayReport(report: OrderReport): boolean {
  return mayReader(report === 'pay' ? 'payment.receive' : 'consignment.change');
}

/** Whether the reader may send a signal of the order services by hand. */
export function maySignal(signal: SignalName): boolean {
  return isReaderAdministrator || mayReader(permissionsOfSignals[signal]);
}
