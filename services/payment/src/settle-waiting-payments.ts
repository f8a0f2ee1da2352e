import { setTimeout } from 'node:timers/promises';
import { isGantryError, type PluginContext } from '@gantry/plugin-api';
import { createPayments } from './payments';
import { settlePayment } from './settle-payment';

const pauseMs = 5_000;
/** Longer than a request may take, so that payments of requests under way are left alone. */
const waitingMs = 15_000;

/** Until the host stops: settles payments whose request was interrupted by a crash or an unavailable Temporal. */
export async function settleWaitingPayments(context: PluginContext): Promise<void> {
  while (!context.signal.aborted) {
    await settleOnce(context);
    await setTimeout(pauseMs, undefined, { signal: context.signal, ref: false }).catch(() => undefined);
  }
}

async function settleOnce({ items, temporal, logger, signal, now }: PluginContext): Promise<void> {
  const payments = createPayments({ items, now });
  try {
    for (const orderId of await payments.waiting(waitingMs)) {
      if (signal.aborted) return;
      const outcome = await settlePayment(payments, temporal, orderId);
      logger.info({ orderId, outcome }, 'settled a payment whose request was interrupted');
    }
  } catch (error) {
    // The rows stay for the next round.
    const isUnavailable = isGantryError(error) && error.code === 'UNAVAILABLE';
    logger[isUnavailable ? 'debug' : 'warn']({ err: error }, 'waiting payments could not be settled yet');
  }
}
