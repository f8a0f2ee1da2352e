import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import type { WorkflowStatus } from '@gantry/contracts';
import { callPlatform } from '../../api/platform/call-platform';
import type { HistoryEvent } from './history-event';

export type ActivityView = PlatformSchema<'ops.ActivityView'>;
export type OperationsOverview = PlatformSchema<'ops.OperationsOverview'>;
export type ResetOutcome = PlatformSchema<'ops.ResetOutcome'>;
export type ResetWarning = PlatformSchema<'ops.ResetWarning'>;
export type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;
export type WorkflowSummary = PlatformSchema<'ops.WorkflowSummary'>;

export interface WorkflowListRequest {
  readonly status?: WorkflowStatus | undefined;
  readonly type?: string | undefined;
  /** Begin of the ids to show. */
  readonly id?: string | undefined;
  /** Only what was started in the last so many milliseconds. */
  readonly withinMs?: number | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface WorkflowPage {
  readonly workflows: readonly WorkflowSummary[];
  readonly nextCursor?: string;
}

export interface History {
  readonly runId: string;
  /** From the first one on. */
  readonly events: readonly HistoryEvent[];
  /** How many events the run has. */
  readonly total: number;
  /** There are more events than were asked for. */
  readonly cut: boolean;
}

/** Events that the platform gives at once. Orders have less than a hundred. */
export const eventsAtOnce = 1_000;

/** Why something is asked for, and by whom. */
export interface AuditNote {
  readonly reason: string;
  readonly requestedBy?: string;
}

export async function getOverview(signal?: AbortSignal): Promise<OperationsOverview> {
  return (await callPlatform('GET', '/operations', {}, signal)).data;
}

export async function listWorkflows(wanted: WorkflowListRequest, signal?: AbortSignal): Promise<WorkflowPage> {
  const { limit, status, type, after } = wanted;
  const query = { limit, status, type, after, query: conditionsOf(wanted) };
  const { data, meta } = await callPlatform('GET', '/workflows', { query }, signal);
  return { workflows: data, ...meta };
}

export async function getWorkflow(workflowId: string, runId?: string, signal?: AbortSignal): Promise<WorkflowDetail> {
  const request = { path: { workflowId }, query: { runId } };
  return (await callPlatform('GET', '/workflows/{workflowId}', request, signal)).data;
}

/** Reads page after page until the run has no more events, or as many are there as asked for. */
export async function getHistory(
  workflowId: string,
  { runId, most }: { readonly runId?: string | undefined; readonly most: number },
  signal?: AbortSignal,
): Promise<History> {
  const read = (query: { readonly runId?: string | undefined; readonly after?: string }) =>
    callPlatform('GET', '/workflows/{workflowId}/history', { path: { workflowId }, query }, signal);
  let { data, meta } = await read({ runId });
  const events = [...data.events];
  while (meta?.nextCursor !== undefined && events.length < most) {
    ({ data, meta } = await read({ after: meta.nextCursor }));
    events.push(...data.events);
  }
  return { runId: data.runId, events, total: meta?.total ?? events.length, cut: meta?.nextCursor !== undefined };
}

/** Cancels a workflow, which then runs its compensation, or ends it at once. */
export async function endWorkflow(workflowId: string, how: 'cancel' | 'terminate', note: AuditNote): Promise<void> {
  await callPlatform('POST', `/workflows/{workflowId}/${how}`, { path: { workflowId }, body: note });
}

export async function signalWorkflow(
  workflowId: string,
  { name, args }: { readonly name: string; readonly args: readonly unknown[] },
  note: AuditNote,
): Promise<void> {
  const body = { signal: name, ...(args.length === 0 ? {} : { args }), ...note };
  await callPlatform('POST', '/workflows/{workflowId}/signal', { path: { workflowId }, body });
}

/** `to`; the run, the newest unless given; codes of the warnings that the person knows. */
export type ResetRequest = Pick<
  PlatformRequest<'POST', '/workflows/{workflowId}/reset'>['body'],
  'to' | 'runId' | 'acknowledge'
>;

/** Reports what a reset would do, and changes nothing. */
export async function tryReset(workflowId: string, reset: ResetRequest, signal?: AbortSignal): Promise<ResetOutcome> {
  const request = { path: { workflowId }, body: { ...reset, dryRun: true } };
  return (await callPlatform('POST', '/workflows/{workflowId}/reset', request, signal)).data;
}

export async function resetWorkflow(workflowId: string, reset: ResetRequest, note: AuditNote): Promise<ResetOutcome> {
  const request = { path: { workflowId }, body: { ...reset, ...note } };
  return (await callPlatform('POST', '/workflows/{workflowId}/reset', request)).data;
}

/** In the query language of Temporal. The id field refuses what would have to be escaped. */
function conditionsOf({ id, withinMs }: WorkflowListRequest): string {
  const conditions = [
    ...(id === undefined ? [] : [`WorkflowId STARTS_WITH '${id}'`]),
    ...(withinMs === undefined ? [] : [`StartTime >= '${new Date(Date.now() - withinMs).toISOString()}'`]),
  ];
  return conditions.join(' AND ');
}
