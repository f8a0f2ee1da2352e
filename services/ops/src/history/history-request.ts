import { invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import { cursorOf, parseCursor } from '../listing/cursor';
import { pageLimit, runIdParameter } from '../listing/page-request';
import type { HistoryPosition } from './read-history';

/** Which events of a workflow to show. */
export interface HistoryRequest {
  /** The newest run unless given. */
  readonly runId?: string;
  readonly limit: number;
  /** The first event unless given. */
  readonly from?: HistoryPosition;
}

/** GET /workflows/:workflowId/history. Histories of orders, all their failures included, are shorter than a page. */
export const historyQuery = z.object({
  runId: runIdParameter,
  limit: pageLimit(1_000, 1_000),
  after: z.string().optional().meta({ description: '`meta.nextCursor` of the previous page. It includes the run.' }),
});

/** @throws GantryError VALIDATION_FAILED that names the parameter */
export function historyRequest(
  workflowId: string,
  { runId: wantedRunId, limit, after }: z.infer<typeof historyQuery>,
): HistoryRequest {
  if (after === undefined) return { limit, ...(wantedRunId === undefined ? {} : { runId: wantedRunId }) };
  const { runId: begun, ...from } = positionOf(workflowId, after);
  if (wantedRunId !== undefined && wantedRunId !== begun) {
    throw invalidValue('after', `after belongs to the run ${begun}, not to the one that runId names`);
  }
  return { limit, runId: begun, from };
}

/** A cursor keeps the run, so that a reset in between does not mix two histories. */
export function historyCursor(workflowId: string, runId: string, { token, afterEvent }: HistoryPosition): string {
  return cursorOf(scopeOf(workflowId), Buffer.from(JSON.stringify({ runId, token, afterEvent })));
}

function positionOf(workflowId: string, cursor: string): HistoryPosition & { readonly runId: string } {
  const position = parseCursor(scopeOf(workflowId), cursor);
  if (position === undefined) {
    throw invalidValue('after', 'after must be the meta.nextCursor of the previous page of the same workflow');
  }
  // The sum in the cursor says that it was written above.
  return JSON.parse(position.toString()) as HistoryPosition & { readonly runId: string };
}

function scopeOf(workflowId: string): string {
  return `history of ${workflowId}`;
}
