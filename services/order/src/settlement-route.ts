import { settledElsewhere, type OrderSettled, type SettlementOutcome } from '@gantry/contracts';
import { asCaller, type RouteHandler, type RouteResponse } from '@gantry/plugin-api';
import type { StoredOrder } from './order-rows';
import type { Settlement, settlementSchemas } from './request-schemas';
import {
  assertNeedsDecision,
  findSettledOrder,
  findStoredOrder,
  needsNoDecision,
  type DecisionDependencies,
} from './undecided-order';

/**
 * POST /orders/:orderId/settlement: stores that an order which needs a decision was settled outside of the platform, for example
 * by the bank. Nothing is refunded or delivered. The compare-and-set of the operations excludes them from it.
 */
export function createSettlementRoute(dependencies: DecisionDependencies): RouteHandler<typeof settlementSchemas> {
  return async ({ params: { orderId }, body, caller }) => {
    const { outcome } = body;
    const found = await findSettledOrder(dependencies, orderId);
    if (isSettled(found, outcome)) return settled(orderId, outcome, true);
    const isStored = await dependencies.rows.withoutResets(orderId, async (settlements) => {
      await assertNeedsDecision(dependencies, found);
      return settlements.settleElsewhere(found, outcome, reasonFor(asCaller(caller, body)), dependencies.now());
    });
    if (isStored) return settled(orderId, outcome, false);
    const changed = await findStoredOrder(dependencies, orderId);
    if (isSettled(changed, outcome)) return settled(orderId, outcome, true);
    throw needsNoDecision(changed);
  };
}

function settled(orderId: string, status: SettlementOutcome, isDuplicate: boolean): RouteResponse {
  const data: OrderSettled = { orderId, status };
  return { data, ...(isDuplicate ? { meta: { duplicate: true } } : {}) };
}

function isSettled({ status, operation }: StoredOrder, outcome: SettlementOutcome): boolean {
  return status === outcome && operation === settledElsewhere;
}

/** A sentence for the row. */
function reasonFor({ reason, requestedBy }: Settlement): string {
  const by = requestedBy === undefined ? '' : ` by ${requestedBy}`;
  return `Settled elsewhere${by}: ${reason}`;
}
