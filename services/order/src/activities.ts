import type { OrderActivities } from '@gantry/contracts';
import { callTemporal, type Temporal } from '@gantry/plugin-api';
import { readNamespaceId } from './namespace-id';
import type { OrderRows } from './order-rows';

/** What the workflows of orders store. Every activity has its effect once, however often it is repeated. */
export function createOrderActivities(rows: OrderRows, temporal: Temporal): OrderActivities {
  return {
    async recordOrder(progress) {
      const status = await rows.record(progress);
      if (status !== undefined) return status ?? progress.status;
      // The request that placed the order was cut off before it stored it.
      return (await rows.settle(progress, await callTemporal(temporal, readNamespaceId))) ?? progress.status;
    },
    beginOperation: ({ operation, runId, status, ...order }) => rows.begin(order, status, operation, runId),
    finishOperation: (end) => rows.finish(end),
  };
}
