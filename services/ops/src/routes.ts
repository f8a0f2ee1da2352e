import type { WorkflowDetail } from '@gantry/contracts';
import { asCaller, callTemporal, type RegisterContext, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { OpsConfig } from './config';
import { controlBody, resetBody, signalBody, type AuditNote } from './control-request';
import { cancelWorkflow, sendSignal, terminateWorkflow, type Controlled } from './control-workflow';
import { findWorkflow } from './find-workflow';
import { historyCursor, historyQuery, historyRequest } from './history-request';
import { listQuery } from './list-request';
import { listWorkflows } from './list-workflows';
import { createOverviewRoute } from './overview';
import { runIdParameter } from './page-request';
import { readHistoryPage } from './read-history';
import { resetWorkflow } from './reset-workflow';
import { workflowDetail } from './workflow-detail';

/** Any id that Temporal can hold, so that workflows of other plugins are shown too: also one with a line break. */
const params = z.object({
  workflowId: z.string().max(1_000, { error: 'workflowId must have at most 1000 characters' }),
});

const listSchemas = { query: listQuery };
const detailSchemas = { params, query: z.object({ runId: runIdParameter }) };
const historySchemas = { params, query: historyQuery };
const controlSchemas = { params, body: controlBody };
const signalSchemas = { params, body: signalBody };
const resetSchemas = { params, body: resetBody };

const reading = { permission: 'ops.read' } as const;
const controlling = { permission: 'ops.control' } as const;

export function registerRoutes(
  { router, temporal, database }: Pick<RegisterContext, 'router' | 'temporal' | 'database'>,
  config: OpsConfig,
): void {
  router.route('GET', '/operations', createOverviewRoute(temporal, config), {
    access: reading,
    summary: 'Counts the runs of workflows by state, and returns the address of the Temporal Web UI',
  });
  router.route('GET', '/workflows', createListRoute(temporal), {
    access: reading,
    schemas: listSchemas,
    summary: 'Lists workflows, newest first',
  });
  router.route('GET', '/workflows/:workflowId', createDetailRoute(temporal, config), {
    access: reading,
    schemas: detailSchemas,
    summary: 'Shows a workflow with its activities, children and problems',
  });
  router.route('GET', '/workflows/:workflowId/history', createHistoryRoute(temporal), {
    access: reading,
    schemas: historySchemas,
    summary: 'Shows the events of a workflow, page by page',
  });
  router.route('POST', '/workflows/:workflowId/cancel', createControlRoute(temporal, cancelWorkflow), {
    access: controlling,
    schemas: controlSchemas,
    summary: 'Cancels a workflow, which then runs its compensation',
    openapi: { responses: { 202: { description: 'The cancellation is requested' } } },
  });
  router.route('POST', '/workflows/:workflowId/terminate', createControlRoute(temporal, terminateWorkflow), {
    access: controlling,
    schemas: controlSchemas,
    summary: 'Terminates a workflow at once, without compensation',
    openapi: { responses: { 202: { description: 'The workflow is terminated' } } },
  });
  router.route('POST', '/workflows/:workflowId/signal', createSignalRoute(temporal), {
    access: controlling,
    schemas: signalSchemas,
    summary: 'Sends a signal to a workflow',
    openapi: { responses: { 202: { description: 'The signal was delivered' } } },
  });
  const reset: RouteHandler<typeof resetSchemas> = async ({ params: { workflowId }, body, caller }) => ({
    data: await resetWorkflow({ temporal, database }, workflowId, asCaller(caller, body)),
  });
  router.route('POST', '/workflows/:workflowId/reset', reset, {
    access: controlling,
    schemas: resetSchemas,
    summary: 'Resets a workflow that has ended to a point in its history, in a new run',
    openapi: { responses: { 200: { description: 'The new run, and the steps that it repeats' } } },
  });
}

/** A page of a thousand workflows takes eleven queries, of a second each where Temporal is busy. */
const listTimeoutMs = 15_000;

function createListRoute(temporal: Temporal): RouteHandler<typeof listSchemas> {
  return async ({ query }) => {
    const list = (client: Client): ReturnType<typeof listWorkflows> => listWorkflows(client, query);
    const { workflows, nextCursor } = await callTemporal(temporal, list, { timeoutMs: listTimeoutMs });
    return { data: workflows, ...(nextCursor === undefined ? {} : { meta: { nextCursor } }) };
  };
}

function createDetailRoute(temporal: Temporal, { temporalPages }: OpsConfig): RouteHandler<typeof detailSchemas> {
  return async ({ params: { workflowId }, query }) => {
    const detail = await callTemporal(temporal, (client: Client) => workflowDetail(client, workflowId, query.runId));
    if (temporalPages === undefined) return { data: detail };
    return { data: { ...detail, temporalPage: temporalPageOf(temporalPages, temporal.namespace, detail) } };
  };
}

function temporalPageOf(pages: string, namespace: string, run: Pick<WorkflowDetail, 'workflowId' | 'runId'>): string {
  const [inNamespace, workflowId, id] = [namespace, run.workflowId, run.runId].map(encodeURIComponent);
  return `${pages}/namespaces/${inNamespace}/workflows/${workflowId}/${id}/history`;
}

/** The events as Temporal's own tools write them, page by page. */
function createHistoryRoute(temporal: Temporal): RouteHandler<typeof historySchemas> {
  return async ({ params: { workflowId }, query }) => {
    const { runId: wantedRunId, limit, from } = historyRequest(workflowId, query);
    return callTemporal(temporal, async (client: Client) => {
      const { summary, description } = await findWorkflow(client, workflowId, wantedRunId);
      const run = { workflowId, runId: summary.runId };
      const { events, next } = await readHistoryPage(client, run, limit, from);
      const nextCursor = next && historyCursor(workflowId, run.runId, next);
      const total = Math.max(description.historyLength, Number(events.at(-1)?.eventId ?? 0));
      return { data: { ...run, events }, meta: { total, ...(nextCursor === undefined ? {} : { nextCursor }) } };
    });
  };
}

function createControlRoute(
  temporal: Temporal,
  control: (client: Client, workflowId: string, note: AuditNote) => Promise<Controlled>,
): RouteHandler<typeof controlSchemas> {
  return async ({ params: { workflowId }, body, caller }) => ({
    status: 202,
    data: await callTemporal(temporal, (client: Client) => control(client, workflowId, asCaller(caller, body))),
  });
}

function createSignalRoute(temporal: Temporal): RouteHandler<typeof signalSchemas> {
  return async ({ params: { workflowId }, body, caller }) => ({
    status: 202,
    data: await callTemporal(temporal, (client: Client) =>
      sendSignal(client, workflowId, asCaller(caller, body), caller),
    ),
  });
}
