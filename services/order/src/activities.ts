import type { OrderActivities, OrderProgress } from '@gantry/contracts';
import { callTemporal, type Temporal } from '@gantry/plugin-api';
import { readNamespaceId } from './namespace-id';
import type { OrderRows } from './order-rows';

/** The row has to be written within the two seconds of a local activity. */
const namespaceTimeoutMs = 500;

/** Writes of the workflows of orders. Every activity has its effect once, however often it is repeated. */
export function createOrderActivities(rows: OrderRows, temporal: Temporal): OrderActivities {
  const namespaceOf = async ({ orderId, runId }: OrderProgress): Promise<string> => {
    try {
      return await callTemporal(temporal, readNamespaceId, { timeoutMs: namespaceTimeoutMs });
    } catch (error) {
      // The row knows it as well.
      const stored = await rows.findRun(orderId, runId);
      if (stored === undefined) throw error;
      return stored.namespaceId;
    }
  };
  return {
    async recordOrder(progress) {
      return (await rows.record(progress, await namespaceOf(progress))) ?? progress.status;
    },
    beginOperation: ({ operation, runId, status, ...order }) => rows.begin(order, status, operation, runId),
    finishOperation: (end) => rows.finish(end),
    findSettlement: async (orderId) =>
      rows.findSettlement({ orderId, namespaceId: await callTemporal(temporal, readNamespaceId) }),
  };
}
