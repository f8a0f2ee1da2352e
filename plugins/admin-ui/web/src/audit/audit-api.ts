import type { PlatformSchema } from '@gantry/client/platform';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { fetchChanges, type ChangePage } from '../api/changes';
import { callPlatform } from '../api/platform/call-platform';

export type SecurityEvent = PlatformSchema<'AuditEvent'>;

/** Which entries are meant; undefined leaves a filter out. */
export interface AuditFilter {
  readonly actor: string | undefined;
  readonly type: string | undefined;
  readonly action: string | undefined;
  /** ISO 8601. */
  readonly from: string | undefined;
  /** ISO 8601; entries before it. */
  readonly to: string | undefined;
}

export interface AuditRequest extends AuditFilter {
  readonly limit: number;
  readonly before: string | undefined;
}

export interface SecurityPage {
  readonly events: readonly SecurityEvent[];
  readonly nextBefore: string | undefined;
}

export async function fetchSecurityEvents(
  { type: _type, limit, ...parameters }: AuditRequest,
  signal?: AbortSignal,
): Promise<SecurityPage> {
  const { before, ...texts } = parameters;
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  const query = { ...given, limit, ...(before === undefined ? {} : { before: Number(before) }) };
  const { data } = await callPlatform('GET', '/api/platform/audit', { query }, signal);
  return { events: data, nextBefore: data.length < limit ? undefined : data.at(-1)?.id };
}

export const securityEventsQuery = (wanted: AuditRequest) =>
  queryOptions({
    queryKey: ['audit', 'security', wanted],
    queryFn: ({ signal }): Promise<SecurityPage> => fetchSecurityEvents(wanted, signal),
    placeholderData: keepPreviousData,
  });

export const itemChangesQuery = (wanted: AuditRequest) =>
  queryOptions({
    queryKey: ['audit', 'items', wanted],
    queryFn: ({ signal }): Promise<ChangePage> => fetchChanges(wanted, signal),
    placeholderData: keepPreviousData,
  });

/** Names of users. */
export const userNamesQuery = queryOptions({
  queryKey: ['audit', 'users'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/users', {}, signal)).data,
});
