import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { invalidValue, type RouteRequest } from '@gantry/plugin-api';
import { parseCursor } from './cursor';
import { parseLimit } from './page-request';

/** What a list of workflows contains. */
export interface ListRequest {
  /** In Temporal's query language; empty for all. */
  readonly query: string;
  readonly limit: number;
  readonly pageToken: Buffer;
}

/** What a cursor of the list belongs to. */
export const listScope = 'workflows';

const limits = { unless: 50, most: 1_000 } as const;

/** How the visibility store writes the states. */
const statusWords: Readonly<Record<WorkflowStatus, string>> = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELED: 'Canceled',
  TERMINATED: 'Terminated',
  CONTINUED_AS_NEW: 'ContinuedAsNew',
  TIMED_OUT: 'TimedOut',
};

/** @throws GantryError VALIDATION_FAILED that names the parameter */
export function parseListRequest({ query }: Pick<RouteRequest, 'query'>): ListRequest {
  const conditions = [
    ...(query['status'] === undefined ? [] : [`ExecutionStatus = '${statusWords[parseStatus(query['status'])]}'`]),
    ...(query['type'] === undefined ? [] : [`WorkflowType = ${quoted(query['type'])}`]),
  ];
  const own = parseCondition(query['query']);
  if (own !== '') conditions.push(conditions.length === 0 ? own : `(${own})`);
  return {
    query: conditions.join(' AND '),
    limit: parseLimit(query['limit'], limits),
    pageToken: tokenOf(query['after']),
  };
}

/** Temporal leaves groups away where it lists, which would show all that they were meant to count. */
function parseCondition(text = ''): string {
  const withoutText = text.replaceAll(/'[^']*'|"[^"]*"/g, '');
  if (!/\bgroup\s+by\b/i.test(withoutText)) return text.trim();
  throw invalidValue('query', 'query must be a condition without GROUP BY; GET /operations counts by state');
}

/** Text in the query language. Without quotes and backslashes in it, there is nothing to escape. */
function quoted(type: string): string {
  if (/^[^'"`\\\p{Cc}]{1,200}$/u.test(type)) return `'${type}'`;
  throw invalidValue('type', 'type must be the name of a workflow type: 1 to 200 characters, no quotes or backslashes');
}

function parseStatus(value: string): WorkflowStatus {
  const status = workflowStatuses.find((known) => known === value);
  if (status === undefined) throw invalidValue('status', `status must be one of ${workflowStatuses.join(', ')}`);
  return status;
}

function tokenOf(cursor: string | undefined): Buffer {
  if (cursor === undefined) return Buffer.alloc(0);
  const pageToken = parseCursor(listScope, cursor);
  if (pageToken !== undefined) return pageToken;
  throw invalidValue('after', 'after must be the meta.nextCursor of the previous page');
}
