import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { fetchChanges, type ChangePage } from '../api/changes';
import { request } from '../api/request';

/** An entry of `GET /api/platform/audit`. */
export interface SecurityEvent {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
  readonly actorName?: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string;
  /** How often it happened in its minute. */
  readonly count: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

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
  const given = Object.entries({ ...parameters, limit: String(limit) }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { data } = await request<readonly SecurityEvent[]>(
    `/api/platform/audit?${new URLSearchParams(given)}`,
    signal === undefined ? {} : { signal },
  );
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

interface NamedUser {
  readonly id: string;
  readonly login: string;
  readonly displayName: string;
}

/** What users are called. */
export const userNamesQuery = queryOptions({
  queryKey: ['audit', 'users'],
  queryFn: async ({ signal }) => (await request<readonly NamedUser[]>('/api/platform/users', { signal })).data,
});
