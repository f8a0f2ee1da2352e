import { isGantryError, type PluginContext } from '@gantry/plugin-api';

/** Orders that are worked on at a time, so that orders under way have the rest of Temporal. */
const lanes = 4;

/**
 * Does work for every order, a few at a time, until the host stops. A failure is logged and keeps none of the other orders from it.
 * @throws GantryError UNAVAILABLE
 */
export async function forEachOrder<O extends { readonly orderId: string }>(
  { logger, signal }: PluginContext,
  orders: readonly O[],
  work: (order: O) => Promise<void>,
): Promise<void> {
  const left = [...orders].toReversed();
  const lane = async (): Promise<void> => {
    for (let order = left.pop(); order !== undefined && !signal.aborted; order = left.pop()) {
      try {
        await work(order);
      } catch (error) {
        if (isGantryError(error) && error.code === 'UNAVAILABLE') throw error;
        logger.warn({ err: error, orderId: order.orderId }, 'an order could not be compared with its row');
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
