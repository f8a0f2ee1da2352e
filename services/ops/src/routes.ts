import { callTemporal, invalidValue, type RouteHandler, type RouteRequest, type Temporal } from '@gantry/plugin-api';
import type { WorkflowDetail } from '@gantry/contracts';
import type { Client } from '@temporalio/client';
import type { OpsConfig } from './config';
import { parseAsked, parseResetRequest, parseSignalRequest, type Asked } from './control-request';
import { cancelWorkflow, sendSignal, terminateWorkflow, type Controlled } from './control-workflow';
import { findWorkflow } from './find-workflow';
import { historyCursor, parseHistoryRequest } from './history-request';
import { parseListRequest } from './list-request';
import { listWorkflows } from './list-workflows';
import { parseRunId } from './page-request';
import { readHistoryPage } from './read-history';
import { resetWorkflow, type ResetDependencies } from './reset-workflow';
import { workflowDetail } from './workflow-detail';

/** A page of a thousand workflows takes eleven queries, of a second each where Temporal is busy. */
const listTimeoutMs = 15_000;

/** GET /workflows */
export function createListRoute(temporal: Temporal): RouteHandler {
  return async (request) => {
    const wanted = parseListRequest(request);
    const list = (client: Client): ReturnType<typeof listWorkflows> => listWorkflows(client, wanted);
    const { workflows, nextCursor } = await callTemporal(temporal, list, { timeoutMs: listTimeoutMs });
    return { data: workflows, ...(nextCursor === undefined ? {} : { meta: { nextCursor } }) };
  };
}

/** GET /workflows/:workflowId */
export function createDetailRoute(temporal: Temporal, { temporalPages }: OpsConfig): RouteHandler {
  return async (request) => {
    const workflowId = workflowIdOf(request);
    const runId = parseRunId(request);
    const detail = await callTemporal(temporal, (client: Client) => workflowDetail(client, workflowId, runId));
    if (temporalPages === undefined) return { data: detail };
    return { data: { ...detail, temporalPage: temporalPageOf(temporalPages, temporal.namespace, detail) } };
  };
}

function temporalPageOf(pages: string, namespace: string, run: Pick<WorkflowDetail, 'workflowId' | 'runId'>): string {
  const [inNamespace, workflowId, runId] = [namespace, run.workflowId, run.runId].map(encodeURIComponent);
  return `${pages}/namespaces/${inNamespace}/workflows/${workflowId}/${runId}/history`;
}

/** GET /workflows/:workflowId/history: the events as Temporal's own tools write them, page by page. */
export function createHistoryRoute(temporal: Temporal): RouteHandler {
  return async (request) => {
    const workflowId = workflowIdOf(request);
    const { runId, limit, from } = parseHistoryRequest(workflowId, request);
    return callTemporal(temporal, async (client: Client) => {
      const { summary, description } = await findWorkflow(client, workflowId, runId);
      const run = { workflowId, runId: summary.runId };
      const { events, next } = await readHistoryPage(client, run, limit, from);
      const nextCursor = next && historyCursor(workflowId, run.runId, next);
      const total = Math.max(description.historyLength, Number(events.at(-1)?.eventId ?? 0));
      return { data: { ...run, events }, meta: { total, ...(nextCursor === undefined ? {} : { nextCursor }) } };
    });
  };
}

/** POST /workflows/:workflowId/cancel */
export function createCancelRoute(temporal: Temporal): RouteHandler {
  return controlRoute(temporal, (request) => parseAsked(request), cancelWorkflow);
}

/** POST /workflows/:workflowId/terminate */
export function createTerminateRoute(temporal: Temporal): RouteHandler {
  return controlRoute(temporal, (request) => parseAsked(request), terminateWorkflow);
}

/** POST /workflows/:workflowId/signal */
export function createSignalRoute(temporal: Temporal): RouteHandler {
  return controlRoute(temporal, parseSignalRequest, sendSignal);
}

/** POST /workflows/:workflowId/reset */
export function createResetRoute(dependencies: ResetDependencies): RouteHandler {
  return async (request) => {
    const workflowId = workflowIdOf(request);
    return { data: await resetWorkflow(dependencies, workflowId, parseResetRequest(request)) };
  };
}

function controlRoute<A extends Asked>(
  temporal: Temporal,
  parse: (request: RouteRequest) => A,
  control: (client: Client, workflowId: string, asked: A) => Promise<Controlled>,
): RouteHandler {
  return async (request) => {
    const workflowId = workflowIdOf(request);
    const asked = parse(request);
    return { status: 202, data: await callTemporal(temporal, (client: Client) => control(client, workflowId, asked)) };
  };
}

/** Any id that Temporal can hold, so that workflows of other plugins are shown too. */
function workflowIdOf({ params }: RouteRequest): string {
  const workflowId = params['workflowId'] ?? '';
  if (workflowId.length <= 1_000 && !/\p{Cc}/u.test(workflowId)) return workflowId;
  throw invalidValue('workflowId', 'workflowId must have at most 1000 characters and no control characters');
}
