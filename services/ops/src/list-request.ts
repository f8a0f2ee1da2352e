import { createHash } from 'node:crypto';
import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { GantryError, type RouteRequest } from '@gantry/plugin-api';

/** What a list of workflows shall show. */
export interface ListRequest {
  /** In Temporal's query language; empty for all. */
  readonly query: string;
  readonly limit: number;
  readonly pageToken: Buffer;
}

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
  const own = query['query']?.trim() ?? '';
  if (own !== '') conditions.push(conditions.length === 0 ? own : `(${own})`);
  return {
    query: conditions.join(' AND '),
    limit: parseLimit(query['limit']),
    pageToken: parseCursor(query['after']),
  };
}

/** What the next page is asked with: the token of Temporal and a short sum of it. */
export function cursorOf(pageToken: Uint8Array): string {
  return `${Buffer.from(pageToken).toString('base64url')}.${sumOf(pageToken)}`;
}

/** Tells cursors from other text, because Temporal takes a token that is none for a failure of its own. */
function sumOf(pageToken: Uint8Array): string {
  return createHash('sha256').update(pageToken).digest('base64url').slice(0, 8);
}

/** Text in the query language. Without quotes and backslashes in it, there is nothing to escape. */
function quoted(type: string): string {
  if (/^[^'"`\\\p{Cc}]{1,200}$/u.test(type)) return `'${type}'`;
  throw invalid('type', 'type must be the name of a workflow type: 1 to 200 characters, no quotes or backslashes');
}

function parseStatus(value: string): WorkflowStatus {
  const status = workflowStatuses.find((known) => known === value);
  if (status === undefined) throw invalid('status', `status must be one of ${workflowStatuses.join(', ')}`);
  return status;
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return limits.unless;
  const limit = /^[0-9]{1,4}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > limits.most) throw invalid('limit', `limit must be a number from 1 to ${limits.most}`);
  return limit;
}

function parseCursor(value: string | undefined): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  const [token = '', sum] = value.split('.');
  const pageToken = Buffer.from(token, 'base64url');
  if (pageToken.length > 0 && sum === sumOf(pageToken)) return pageToken;
  throw invalid('after', 'after must be the meta.nextCursor of the page before');
}

function invalid(path: string, message: string): GantryError {
  return new GantryError('VALIDATION_FAILED', `${message}.`, {
    details: [{ path, code: 'VALUE_INVALID', message }],
  });
}
