import { consignmentWorkflowId, type PlaceOrderResult } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { attributesOf, resultText, type HistoryEvent } from '../api/history-event';
import { historyQuery, workflowQuery } from '../api/queries';
import type { History } from '../api/workflows';
import { historyPace } from '../live/history-refresh';
import type { Live } from '../live/use-live';
import { closeOf } from '../timeline/timeline-groups';
import { consignmentRun, type OrderSources } from './order-steps';

const pace = { running: 1_500, ended: 15_000 };

/** All that the page of an order shows of its workflows. */
export interface Order {
  readonly sources: OrderSources | undefined;
  readonly consignment: { readonly workflowId: string; readonly runId: string } | undefined;
  /** The order has never been placed. */
  readonly missing: boolean;
  readonly error: Error | null;
  /** How the order ended, in words. */
  readonly outcome: string | undefined;
  /** Another text whenever something may have been written about the order; undefined until that is known. */
  readonly version: string | undefined;
  refetch(): void;
}

/** @param workflowId of the order itself, or of what delivers it again; undefined where there is none */
export function useOrder(orderId: string, live: Live, workflowId: string | undefined): Order {
  const detail = useQuery({
    ...workflowQuery(workflowId ?? ''),
    enabled: workflowId !== undefined,
    refetchInterval: (query) => live.every(query.state.data?.status === 'RUNNING' ? pace.running : pace.ended)(query),
  });
  // An order that is missing would answer each of these with a refusal too.
  const history = useQuery({
    ...historyQuery(workflowId ?? ''),
    enabled: detail.data !== undefined,
    refetchInterval: (query) => live.every(historyPace(detail.data, query.state.data, pace))(query),
  });
  const runId = consignmentRun(history.data?.events ?? []);
  const consignment = useQuery({
    ...historyQuery(consignmentWorkflowId(orderId), runId),
    enabled: runId !== undefined,
    refetchInterval: (query) =>
      closeOf(query.state.data?.events ?? []) === undefined ? live.every(pace.running)(query) : false,
  });
  const missing = detail.error instanceof ApiError && detail.error.code === 'WORKFLOW_NOT_FOUND';
  const events = history.data?.events ?? [];
  return {
    sources:
      workflowId === undefined || detail.data === undefined || history.data === undefined || missing
        ? undefined
        : {
            order: detail.data,
            orderEvents: events,
            consignmentEvents: runId === undefined ? undefined : consignment.data?.events,
          },
    consignment: runId === undefined ? undefined : { workflowId: consignmentWorkflowId(orderId), runId },
    missing,
    error: detail.error ?? history.error ?? consignment.error,
    outcome: outcomeOf(events),
    version: versionOf(
      detail.error ?? history.error,
      history.data,
      runId === undefined || !consignment.isPending,
      consignment.data,
    ),
    refetch: () => {
      void detail.refetch();
      if (detail.data !== undefined) void history.refetch();
      if (runId !== undefined) void consignment.refetch();
    },
  };
}

/** Records of an order are known without Temporal, too. */
function versionOf(
  error: Error | null,
  order: History | undefined,
  isWhole: boolean,
  consignment: History | undefined,
): string | undefined {
  if (error === null && (order === undefined || !isWhole)) return undefined;
  return `${order?.runId} ${order?.events.length} ${consignment?.events.length}`;
}

const outcomes: Readonly<Record<PlaceOrderResult['outcome'], string>> = {
  DELIVERED: 'Delivered',
  NOT_PAID: 'Not paid in time',
  REFUNDED: 'Not delivered',
};

function outcomeOf(events: readonly HistoryEvent[]): string | undefined {
  const last = events.at(-1);
  if (last?.eventType !== 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED') return undefined;
  const text = resultText(attributesOf(last).result);
  const known = Object.entries(outcomes).find(([outcome]) => text?.includes(`"${outcome}"`) === true);
  return known?.[1];
}
