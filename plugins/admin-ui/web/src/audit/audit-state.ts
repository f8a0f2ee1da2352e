import { useNavigate, useSearchParams } from 'react-router-dom';
import { pageSizes } from '../ui/page/page-sizes';
import { usePageTrail, type PageTrail } from '../ui/page/use-page-trail';
import type { AuditFilter, AuditRequest } from './audit-api';

/** Kind of entries: changes of items, or security events. */
export type AuditTab = 'items' | 'security';

/** State of the page. The address holds all of it. */
export interface AuditState {
  readonly tab: AuditTab;
  readonly actor: string | undefined;
  readonly type: string | undefined;
  readonly action: string | undefined;
  /** The first day, `2026-03-01`, in the reader's time zone. */
  readonly from: string | undefined;
  /** The last day. */
  readonly to: string | undefined;
  /** Where the page begins. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface AuditControl extends Omit<PageTrail, 'trail'> {
  readonly state: AuditState;
  readonly isFiltered: boolean;
  /** Another filter or size; begins with the first page again. */
  change(part: Partial<Omit<AuditState, 'after' | 'tab'>>): void;
  clear(): void;
}

export function useAuditState(): AuditControl {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const state = parse(parameters);
  const go = (next: AuditState, trail: readonly string[]): void =>
    void navigate({ search: auditSearch(next) }, { state: { trail } });
  const { trail: _trail, ...steps } = usePageTrail(state.after, (after, trail) => go({ ...state, after }, trail));
  return {
    state,
    ...steps,
    isFiltered: filterNames.some((name) => state[name] !== undefined),
    change: (part) => go({ ...state, ...part, after: undefined }, []),
    clear: () => go({ ...state, ...noFilter, after: undefined }, []),
  };
}

/** The query of an address. */
function auditSearch({ limit, tab, ...state }: AuditState): string {
  const entries = Object.entries({
    tab: tab === 'items' ? undefined : tab,
    ...state,
    limit: limit === pageSizes[0] ? undefined : String(limit),
  });
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}

/** The other list, with the filters that both have. */
export function otherTab({ actor, from, to, limit }: AuditState, tab: AuditTab): string {
  return auditSearch({ ...noFilter, tab, actor, from, to, limit, after: undefined });
}

/** Request to the platform. */
export function requestOf({ actor, type, action, from, to, after, limit }: AuditState): AuditRequest {
  return { ...{ actor, type, action, limit, before: after }, from: beginOf(from, 0), to: beginOf(to, 1) };
}

const filterNames = ['actor', 'type', 'action', 'from', 'to'] as const satisfies readonly (keyof AuditFilter)[];
const noFilter: AuditFilter = { actor: undefined, type: undefined, action: undefined, from: undefined, to: undefined };

function parse(parameters: URLSearchParams): AuditState {
  const limit = Number(parameters.get('limit'));
  const text = (name: string): string | undefined => parameters.get(name) || undefined;
  return {
    tab: parameters.get('tab') === 'security' ? 'security' : 'items',
    actor: text('actor'),
    type: text('type'),
    action: text('action'),
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    after: text('after'),
    limit: pageSizes.find((size) => size === limit) ?? pageSizes[0],
  };
}

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && beginOf(text, 0) !== undefined ? text : undefined;
}

/** When a day begins, or one of the days after it. */
function beginOf(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const time = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
