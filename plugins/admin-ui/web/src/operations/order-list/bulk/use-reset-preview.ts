import type { ListedOrder } from '../../api/orders';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { describeReset } from './bulk-actions';
import { createOrderRun, type OrderResult } from './order-run';

/**
 * Steps that a reset of each of these orders would repeat, or the reason for a refusal: a dry run of each, four at a time.
 * @returns the text for an order
 */
export function useResetPreview(orders: readonly ListedOrder[]): (order: Pick<ListedOrder, 'orderId'>) => string {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const orderIds = orders.map(({ orderId }) => orderId).join(' ');
  useEffect(() => {
    if (orderIds === '') return undefined;
    const aborted = new AbortController();
    const known = new Map<string, string>();
    const run = createOrderRun({
      orderIds: orderIds.split(' '),
      act: async (orderId) => void known.set(orderId, await describeReset(orderId, aborted.signal)),
      onResults: (results) => {
        if (aborted.signal.aborted) return;
        setTexts(new Map(results.map((result) => [result.orderId, textOf(result, known)])));
      },
    });
    void run.start();
    return () => {
      run.stop();
      aborted.abort();
    };
  }, [orderIds]);
  return ({ orderId }) => texts.get(orderId) ?? checking;
}

const checking = 'Checking …';

function textOf({ orderId, state, error }: OrderResult, known: ReadonlyMap<string, string>): string {
  if (state === 'failed') return `Will be refused: ${messageOf(error)}`;
  return known.get(orderId) ?? checking;
}
