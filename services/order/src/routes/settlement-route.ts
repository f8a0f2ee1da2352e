import { orderIdSchema, settledElsewhere, type SettlementOutcome } from '@gantry/contracts';
import { asCaller, route, type Route } from '@gantry/plugin-api';
import type { StoredOrder } from '../order-rows';
import { repeated, settledOrder } from './order-schemas';
import { deciding, settlement, type Settlement } from './request-schemas';
import {
  assertNeedsDecision,
  findSettledOrder,
  findStoredOrder,
  needsNoDecision,
  type DecisionDependencies,
} from '../tracking/undecided-order';

/**
 * Stores that an order which needs a decision was settled outside of the platform, for example by the bank. Nothing is refunded or
 * delivered. The compare-and-set of the operations excludes them from it.
 */
export function settlementRoute(dependencies: DecisionDependencies): Route {
  return route({
    ...deciding,
    path: '/orders/:orderId/settlement',
    operationId: 'settleOrder',
    summary:
      'Record that an order with the status NEEDS_DECISION was settled elsewhere; nothing is refunded or delivered',
    description:
      'An order has one decision: after another decision, 409. If the request is repeated, it gets the first response with `meta.duplicate`. ' +
      '`reason` is stored with the order.',
    params: orderIdSchema,
    // For a request without a body, all members are reported as missing.
    body: settlement.prefault({} as never),
    answer: settledOrder,
    meta: repeated,
    async handler({ params: { orderId }, body, caller }) {
      const { outcome } = body;
      const data = { orderId, status: outcome };
      const found = await findSettledOrder(dependencies, orderId);
      if (isSettled(found, outcome)) return { data, meta: { duplicate: true } };
      const isStored = await dependencies.rows.withoutResets(orderId, async (settlements) => {
        await assertNeedsDecision(dependencies, found);
        return settlements.settleElsewhere(found, outcome, reasonFor(asCaller(caller, body)), dependencies.now());
      });
      if (isStored) return { data };
      const changed = await findStoredOrder(dependencies, orderId);
      if (isSettled(changed, outcome)) return { data, meta: { duplicate: true } };
      throw needsNoDecision(changed);
    },
  });
}

function isSettled({ status, operation }: StoredOrder, outcome: SettlementOutcome): boolean {
  return status === outcome && operation === settledElsewhere;
}

/** A sentence for the row. */
function reasonFor({ reason, requestedBy }: Settlement): string {
  const by = requestedBy === undefined ? '' : ` by ${requestedBy}`;
  return `Settled elsewhere${by}: ${reason}`;
}
