import type {
  OperationsOverview,
  ResetOutcome,
  ResetPoint,
  WorkflowDetail,
  WorkflowStatus,
  WorkflowSummary,
} from '@gantry/contracts';
import { request } from '../../api/request';
import type { HistoryEvent } from './history-event';

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
  return (await request<OperationsOverview>('/operations', withSignal(signal))).data;
}

export async function listWorkflows(wanted: WorkflowListRequest, signal?: AbortSignal): Promise<WorkflowPage> {
  const query = new URLSearchParams({ limit: String(wanted.limit) });
  const conditions = conditionsOf(wanted);
  if (wanted.status !== undefined) query.set('status', wanted.status);
  if (wanted.type !== undefined) query.set('type', wanted.type);
  if (conditions !== '') query.set('query', conditions);
  if (wanted.after !== undefined) query.set('after', wanted.after);
  const { data, meta } = await request<readonly WorkflowSummary[]>(`/workflows?${query}`, withSignal(signal));
  return { workflows: data, ...(typeof meta['nextCursor'] === 'string' ? { nextCursor: meta['nextCursor'] } : {}) };
}

export async function getWorkflow(workflowId: string, runId?: string, signal?: AbortSignal): Promise<WorkflowDetail> {
  return (await request<WorkflowDetail>(`${pathOf(workflowId)}${runQuery(runId)}`, withSignal(signal))).data;
}

/** Reads page after page until the run has no more events, or as many are there as asked for. */
export async function getHistory(
  workflowId: string,
  { runId, most }: { readonly runId?: string | undefined; readonly most: number },
  signal?: AbortSignal,
): Promise<History> {
  const path = `${pathOf(workflowId)}/history`;
  let { data, meta } = await request<HistoryPage>(`${path}${runQuery(runId)}`, withSignal(signal));
  const events = [...data.events];
  while (typeof meta['nextCursor'] === 'string' && events.length < most) {
    const query = new URLSearchParams({ after: meta['nextCursor'] });
    ({ data, meta } = await request<HistoryPage>(`${path}?${query}`, withSignal(signal)));
    events.push(...data.events);
  }
  const cut = typeof meta['nextCursor'] === 'string';
  const total = typeof meta['total'] === 'number' ? meta['total'] : events.length;
  return { runId: data.runId, events, total, cut };
}

type HistoryPage = Pick<History, 'runId' | 'events'>;

/** Cancels a workflow, which then runs its compensation, or ends it at once. */
export async function endWorkflow(workflowId: string, how: 'cancel' | 'terminate', note: AuditNote): Promise<void> {
  await request(`${pathOf(workflowId)}/${how}`, { method: 'POST', body: note });
}

export async function signalWorkflow(
  workflowId: string,
  { name, args }: { readonly name: string; readonly args: readonly unknown[] },
  note: AuditNote,
): Promise<void> {
  const body = { signal: name, ...(args.length === 0 ? {} : { args }), ...note };
  await request(`${pathOf(workflowId)}/signal`, { method: 'POST', body });
}

export interface ResetRequest {
  readonly to: ResetPoint;
  /** The newest run unless given. */
  readonly runId?: string;
  /** Codes of the warnings that the person knows. */
  readonly acknowledge?: readonly string[];
}

/** Reports what a reset would do, and changes nothing. */
export async function tryReset(workflowId: string, reset: ResetRequest, signal?: AbortSignal): Promise<ResetOutcome> {
  const body = { ...reset, dryRun: true };
  return (await request<ResetOutcome>(`${pathOf(workflowId)}/reset`, { method: 'POST', body, ...withSignal(signal) }))
    .data;
}

export async function resetWorkflow(workflowId: string, reset: ResetRequest, note: AuditNote): Promise<ResetOutcome> {
  const body = { ...reset, ...note };
  return (await request<ResetOutcome>(`${pathOf(workflowId)}/reset`, { method: 'POST', body })).data;
}

/** In the query language of Temporal. The id field refuses what would have to be escaped. */
function conditionsOf({ id, withinMs }: WorkflowListRequest): string {
  const conditions = [
    ...(id === undefined ? [] : [`WorkflowId STARTS_WITH '${id}'`]),
    ...(withinMs === undefined ? [] : [`StartTime >= '${new Date(Date.now() - withinMs).toISOString()}'`]),
  ];
  return conditions.join(' AND ');
}

function pathOf(workflowId: string): string {
  return `/workflows/${encodeURIComponent(workflowId)}`;
}

function runQuery(runId: string | undefined): string {
  return runId === undefined ? '' : `?runId=${encodeURIComponent(runId)}`;
}

function withSignal(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}
