import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { z } from 'zod';
import { parseCursor } from './cursor';
import { pageLimit } from './page-request';

/** The filter of a list of workflows. */
export interface ListRequest {
  /** In Temporal's query language; empty for all. */
  readonly query: string;
  readonly limit: number;
  readonly pageToken: Buffer;
}

/** The list to which a cursor belongs. */
export const listScope = 'workflows';

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

/** GET /workflows */
export const listQuery = z
  .object({
    status: z
      .enum(workflowStatuses, { error: `status must be one of ${workflowStatuses.join(', ')}` })
      .optional()
      .meta({ description: 'Only workflows in this state.' }),
    // Without quotes and backslashes in it, there is nothing to escape.
    type: z
      .string()
      .refine((name) => /^[^'"`\\\p{Cc}]{1,200}$/u.test(name), {
        error: 'type must be the name of a workflow type: 1 to 200 characters, no quotes or backslashes',
      })
      .optional()
      .meta({ description: 'Only workflows of this type, such as placeOrder.' }),
    query: z
      .string()
      .refine((text) => !countsGroups(text), {
        error: 'query must be a condition without GROUP BY; GET /operations counts by state',
      })
      .refine((text) => !hasNul(text), {
        error: 'query must not have the character NUL, also not as an escape sequence',
      })
      .default('')
      .meta({ description: 'A condition in the query language of Temporal.' }),
    limit: pageLimit(50, 1_000),
    after: z
      .string()
      .transform((cursor, context) => {
        const pageToken = parseCursor(listScope, cursor);
        if (pageToken !== undefined) return pageToken;
        context.addIssue({ code: 'custom', message: 'after must be the meta.nextCursor of the previous page' });
        return z.NEVER;
      })
      .optional()
      .meta({ description: '`meta.nextCursor` of the previous page.' }),
  })
  .transform(({ status, type, query, limit, after }): ListRequest => {
    const conditions = [
      ...(status === undefined ? [] : [`ExecutionStatus = '${statusWords[status]}'`]),
      ...(type === undefined ? [] : [`WorkflowType = '${type}'`]),
    ];
    const own = query.trim();
    if (own !== '') conditions.push(conditions.length === 0 ? own : `(${own})`);
    return { query: conditions.join(' AND '), limit, pageToken: after ?? Buffer.alloc(0) };
  });

/** Temporal leaves groups away where it lists, which would show all that they were meant to count. */
function countsGroups(query: string): boolean {
  return /\bgroup\s+by\b/i.test(query.replaceAll(/'[^']*'|"[^"]*"/g, ''));
}

/** Temporal reads `\0` as that character, too. Its database refuses it, which Temporal takes for a failure of the database. */
function hasNul(query: string): boolean {
  return query.includes('\u0000') || query.replaceAll(/\\[^0]/g, '').includes(String.raw`\0`);
}
