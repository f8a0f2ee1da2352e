import { asCaller, callTemporal, route, type RegisterContext, type Route, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { OpsConfig } from './config';
import { controlBody, resetBody, signalBody } from './control/control-request';
import { cancelWorkflow, sendSignal, terminateWorkflow } from './control/control-workflow';
import { findWorkflow } from './listing/find-workflow';
import { historyCursor, historyQuery, historyRequest } from './history/history-request';
import { listQuery } from './listing/list-request';
import { listWorkflows } from './listing/list-workflows';
import { createOverviewReader } from './overview';
import { runIdParameter } from './listing/page-request';
import { readHistoryPage } from './history/read-history';
import { resetWorkflow } from './control/reset-workflow';
import { readWorkflowDetail } from './listing/workflow-detail';
import {
  controlledWorkflow,
  operationsOverview,
  resetOutcome,
  workflowDetail,
  workflowHistory,
  workflowSummary,
  type WorkflowDetail,
} from './listing/workflow-schemas';

/** Any id that Temporal can hold, so that workflows of other plugins are shown too: also one with a line break. */
const params = z.object({
  workflowId: z.string().max(1_000, { error: 'workflowId must have at most 1000 characters' }),
});

const errors = ['VALIDATION_FAILED', 'WORKFLOW_NOT_FOUND', 'UNAVAILABLE'] as const;
const reading = { method: 'GET', access: { permission: 'ops.read' }, errors } as const;
const controlling = {
  method: 'POST',
  access: { permission: 'ops.control' },
  errors: [...errors, 'WORKFLOW_CLOSED', 'CONFLICT'],
} as const;

type Dependencies = Pick<RegisterContext, 'temporal' | 'database' | 'platform'>;

export function opsRoutes(dependencies: Dependencies, config: OpsConfig): readonly Route[] {
  return [...readingRoutes(dependencies, config), ...controllingRoutes(dependencies)];
}

/** A page of a thousand workflows takes eleven queries, of a second each where Temporal is busy. */
const listTimeoutMs = 15_000;

const nextCursor = z.string().exactOptional().describe('Absent on the last page.');

function readingRoutes({ temporal }: Dependencies, config: OpsConfig): readonly Route[] {
  const readOverview = createOverviewReader(temporal, config);
  return [
    route({
      ...reading,
      path: '/operations',
      operationId: 'readOverview',
      summary: 'Count the runs of workflows by state, and return the address of the Temporal Web UI',
      description:
        '`problems` describe activities that keep failing and task queues that no worker polls; they are cached for ' +
        '10 seconds.',
      answer: operationsOverview,
      handler: async () => ({ data: await readOverview() }),
    }),
    route({
      ...reading,
      path: '/workflows',
      operationId: 'listWorkflows',
      summary: 'List workflows, newest first',
      description:
        'The result follows changes with a delay of about a second. An invalid `query` is a 400 with the reason from ' +
        'Temporal.',
      query: listQuery,
      answer: z.array(workflowSummary).describe('A page of workflows.'),
      meta: z.object({ nextCursor }),
      async handler({ query }) {
        const list = (client: Client): ReturnType<typeof listWorkflows> => listWorkflows(client, query);
        const { workflows, ...next } = await callTemporal(temporal, list, { timeoutMs: listTimeoutMs });
        return { data: workflows, ...(next.nextCursor === undefined ? {} : { meta: next }) };
      },
    }),
    route({
      ...reading,
      path: '/workflows/:workflowId',
      operationId: 'readWorkflow',
      summary:
        'Show a workflow: state, activities with their attempts, failures, child workflows and problems that block it',
      description: 'Shows the newest run, unless `runId` names another.',
      params,
      query: z.object({ runId: runIdParameter }),
      answer: workflowDetail,
      async handler({ params: { workflowId }, query }) {
        const detail = await callTemporal(temporal, (client: Client) =>
          readWorkflowDetail(client, workflowId, query.runId),
        );
        if (config.temporalPages === undefined) return { data: detail };
        return { data: { ...detail, temporalPage: temporalPageOf(config.temporalPages, temporal.namespace, detail) } };
      },
    }),
    historyRoute(temporal),
  ];
}

/** The events as Temporal's own tools write them, page by page. */
function historyRoute(temporal: Temporal): Route {
  return route({
    ...reading,
    path: '/workflows/:workflowId/history',
    operationId: 'readHistory',
    summary: 'Show the events of a workflow from its start, as Temporal stores them',
    description:
      "Has the events in the format of Temporal's own tools, the first one first. The cursor belongs to the run: a new run does " +
      'not change the pages.',
    params,
    query: historyQuery,
    answer: workflowHistory,
    meta: z.object({ total: z.int().describe('Events of the run.'), nextCursor }),
    async handler({ params: { workflowId }, query }) {
      const { runId: wantedRunId, limit, from } = historyRequest(workflowId, query);
      return callTemporal(temporal, async (client: Client) => {
        const { summary, description } = await findWorkflow(client, workflowId, wantedRunId);
        const run = { workflowId, runId: summary.runId };
        const { events, next } = await readHistoryPage(client, run, limit, from);
        const total = Math.max(description.historyLength, Number(events.at(-1)?.eventId ?? 0));
        const more = next === undefined ? {} : { nextCursor: historyCursor(workflowId, run.runId, next) };
        return { data: { ...run, events }, meta: { total, ...more } };
      });
    },
  });
}

function temporalPageOf(pages: string, namespace: string, run: Pick<WorkflowDetail, 'workflowId' | 'runId'>): string {
  const [inNamespace, workflowId, id] = [namespace, run.workflowId, run.runId].map(encodeURIComponent);
  return `${pages}/namespaces/${inNamespace}/workflows/${workflowId}/${id}/history`;
}

/** Effects of controlling a workflow, besides the summaries. */
const effects = {
  cancel:
    '202 means that the request is stored: the workflow ends when its compensation is done. A workflow that has ' +
    'ended is a 409 `WORKFLOW_CLOSED`. The history records reason and caller.',
  terminate:
    'No work is undone: a payment is not refunded. A workflow that has ended is a 409 `WORKFLOW_CLOSED`. The history ' +
    'records reason and caller.',
  signal:
    '202 means that the signal is stored; a workflow that has no handler for it ignores it. A workflow that has ended is a ' +
    '409 `WORKFLOW_CLOSED`.',
  reset:
    'Activities after the point run again. A `dryRun` lists them, and the codes of warnings that must be in ' +
    '`acknowledge`: without them, 409. The earlier run stays as it is.',
};

function controllingRoutes({ temporal, database, platform }: Dependencies): readonly Route[] {
  return [
    route({
      ...controlling,
      path: '/workflows/:workflowId/cancel',
      operationId: 'cancelWorkflow',
      summary: 'Cancel a workflow, which then runs its compensation',
      description: effects.cancel,
      ...{ params, body: controlBody, status: 202, answer: controlledWorkflow },
      handler: async ({ params: { workflowId }, body, caller }) => ({
        data: await callTemporal(temporal, (client: Client) =>
          cancelWorkflow(client, workflowId, asCaller(caller, body)),
        ),
      }),
    }),
    route({
      ...controlling,
      path: '/workflows/:workflowId/terminate',
      operationId: 'terminateWorkflow',
      summary: 'Terminate a workflow at once, without compensation',
      description: effects.terminate,
      ...{ params, body: controlBody, status: 202, answer: controlledWorkflow },
      handler: async ({ params: { workflowId }, body, caller }) => ({
        data: await callTemporal(temporal, (client: Client) =>
          terminateWorkflow(client, workflowId, asCaller(caller, body)),
        ),
      }),
    }),
    route({
      ...controlling,
      path: '/workflows/:workflowId/signal',
      operationId: 'signalWorkflow',
      summary: 'Send a signal to a workflow',
      description: effects.signal,
      ...{ params, body: signalBody, status: 202, answer: controlledWorkflow },
      handler: async ({ params: { workflowId }, body, caller }) => ({
        data: await callTemporal(temporal, (client: Client) =>
          sendSignal(client, workflowId, asCaller(caller, body), caller),
        ),
      }),
    }),
    route({
      ...controlling,
      path: '/workflows/:workflowId/reset',
      operationId: 'resetWorkflow',
      summary: 'Reset a workflow that has ended to a point in its history: a new run repeats the steps after it',
      description: effects.reset,
      ...{ params, body: resetBody, answer: resetOutcome },
      handler: async ({ params: { workflowId }, body, caller }) => ({
        data: await resetWorkflow({ temporal, database, platform }, workflowId, asCaller(caller, body)),
      }),
    }),
  ];
}
