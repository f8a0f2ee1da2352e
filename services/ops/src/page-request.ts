import { invalidValue, type RouteRequest } from '@gantry/plugin-api';

/** Entries of a page, as a list of the operations endpoints has them. */
export interface PageLimits {
  readonly unless: number;
  readonly most: number;
}

/** @throws GantryError VALIDATION_FAILED */
export function parseLimit(value: string | undefined, { unless, most }: PageLimits): number {
  if (value === undefined) return unless;
  const limit = /^[0-9]{1,5}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > most) throw invalidValue('limit', `limit must be a number from 1 to ${most}`);
  return limit;
}

/** The run that is asked for; undefined for the newest. @throws GantryError VALIDATION_FAILED */
export function parseRunId({ query }: Pick<RouteRequest, 'query'>): string | undefined {
  const runId = query['runId'];
  if (runId === '') throw invalidValue('runId', 'runId must be the id of a run; without it, the newest is shown');
  return runId;
}
