import { workflowStatuses, type OperationsOverview, type WorkflowStatus } from '@gantry/contracts';
import { callTemporal, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { OpsConfig } from './config';

/** GET /operations */
export function createOverviewRoute(temporal: Temporal, { temporalPages }: OpsConfig): RouteHandler {
  return async () => {
    const runs = await callTemporal(temporal, countRuns);
    const data: OperationsOverview = {
      namespace: temporal.namespace,
      runs,
      ...(temporalPages === undefined ? {} : { temporalPages }),
    };
    return { data };
  };
}

/** One question for all states. */
async function countRuns(client: Client): Promise<OperationsOverview['runs']> {
  const { groups } = await client.workflowService.countWorkflowExecutions({
    namespace: client.options.namespace,
    query: 'GROUP BY ExecutionStatus',
  });
  const counted = groups.flatMap(({ groupValues, count }) => {
    const status = statusOf(groupValues?.[0] && defaultPayloadConverter.fromPayload(groupValues[0]));
    return status === undefined ? [] : [[status, Number(count)] as const];
  });
  return Object.fromEntries(counted);
}

/** The visibility store writes `TimedOut`. */
function statusOf(word: unknown): WorkflowStatus | undefined {
  return workflowStatuses.find((status) => status.replaceAll('_', '') === String(word).toUpperCase());
}
