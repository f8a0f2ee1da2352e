import {
  maxSettlementReasonLength,
  settledElsewhere,
  settlementOutcomes,
  textLineRule,
  type OrderSettled,
  type SettlementOutcome,
} from '@gantry/contracts';
import { invalidValue, type RouteHandler, type RouteResponse } from '@gantry/plugin-api';
import { orderIdOf } from './order-id-of';
import type { StoredOrder } from './order-rows';
import { parseBody, readAsked } from './parse-asked';
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
export function createSettlementRoute(dependencies: DecisionDependencies): RouteHandler {
  return async ({ params, body }) => {
    const orderId = orderIdOf(params['orderId']);
    const { outcome, reason } = parseSettlement(body);
    const found = await findSettledOrder(dependencies, orderId);
    if (isSettled(found, outcome)) return settled(orderId, outcome, true);
    const isStored = await dependencies.rows.withoutResets(orderId, async (settlements) => {
      await assertNeedsDecision(dependencies, found);
      return settlements.settleElsewhere(found, outcome, reason, dependencies.now());
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

interface Settlement {
  readonly outcome: SettlementOutcome;
  /** A sentence for the row. */
  readonly reason: string;
}

/** @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
function parseSettlement(body: unknown): Settlement {
  const { outcome, ...asked } = parseBody(body);
  const { reason, requestedBy } = readAsked(asked, maxSettlementReasonLength);
  const known = settlementOutcomes.find((name) => name === outcome);
  if (known === undefined) throw invalidValue('outcome', `outcome must be ${settlementOutcomes.join(' or ')}`);
  if (reason === undefined) throw invalidValue('reason', `reason ${textLineRule(maxSettlementReasonLength)}`);
  const by = requestedBy === undefined ? '' : ` by ${requestedBy}`;
  return { outcome: known, reason: `Settled elsewhere${by}: ${reason}` };
}
