import { orderGroups, orderRowSteps, orderStatuses, parseOrderId } from '@gantry/contracts';
import type { OrderGroup, OrderRowStep, OrderStatus } from '@gantry/contracts';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { pageSizes } from '../../ui/page/page-sizes';
import { usePageTrail, type PageTrail } from '../../ui/page/use-page-trail';
import type { OrderListRequest, OrderSort } from '../api/orders';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** When orders reached their step: within a time before now, or longer ago. */
export const periods = [
  { value: '1h', label: 'In the last hour', withinMs: hour },
  { value: '24h', label: 'In the last 24 hours', withinMs: day },
  { value: '7d', label: 'In the last 7 days', withinMs: 7 * day },
  { value: '30d', label: 'In the last 30 days', withinMs: 30 * day },
  { value: 'over-10m', label: 'More than 10 minutes ago', beyondMs: 10 * minute },
  { value: 'over-1h', label: 'More than an hour ago', beyondMs: hour },
  { value: 'over-24h', label: 'More than a day ago', beyondMs: day },
] as const;

/** State of the list. The address holds all of it, so that a link and the Back button restore it. */
export interface OrderListState {
  /** Undefined for all orders. */
  readonly group: OrderGroup | undefined;
  readonly status: OrderStatus | undefined;
  readonly step: OrderRowStep | undefined;
  readonly since: (typeof periods)[number]['value'] | undefined;
  /** The beginning of the order id. */
  readonly id: string | undefined;
  /** Undefined for the usual order of the group. */
  readonly sort: OrderSort | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

export interface OrderListControl extends Omit<PageTrail, 'trail'> {
  readonly state: OrderListState;
  readonly sort: OrderSort;
  readonly isFiltered: boolean;
  /** Another filter, order or size; begins with the first page again. */
  change(part: Partial<Omit<OrderListState, 'after'>>): void;
  clear(): void;
  /** The address of a group, with the same size of pages. */
  addressOf(group: OrderGroup | undefined): string;
}

export function useOrderListState(): OrderListControl {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const state = parseListState(parameters);
  const live = parameters.get('live');
  const go = (next: OrderListState, nextTrail: readonly string[]): void => {
    void navigate({ search: formatListState(next, live) }, { state: { trail: nextTrail } });
  };
  const { trail: _trail, ...steps } = usePageTrail(state.after, (after, trail) => go({ ...state, after }, trail));
  const { status, step, since, id, limit, group } = state;
  return {
    state,
    ...steps,
    sort: sortOf(state),
    isFiltered: [status, step, since, id].some((filter) => filter !== undefined),
    change: (part) => go({ ...state, ...part, after: undefined }, []),
    clear: () => go({ ...emptyState, group, limit }, []),
    addressOf: (other) => `?${formatListState({ ...emptyState, group: other, limit }, live)}`,
  };
}

/** Request to the platform. */
export function requestOf(state: OrderListState, now: number): OrderListRequest {
  const { group, status, step, since, id, after, limit } = state;
  const period = periods.find(({ value }) => value === since);
  // By the minute, so that drawing again does not ask again.
  const before = (milliseconds: number): string =>
    new Date(Math.floor((now - milliseconds) / minute) * minute).toISOString();
  return {
    group,
    status,
    step,
    orderId: id,
    after,
    limit,
    sort: sortOf(state),
    from: period !== undefined && 'withinMs' in period ? before(period.withinMs) : undefined,
    to: period !== undefined && 'beyondMs' in period ? before(period.beyondMs) : undefined,
  };
}

/** Whether an order id can begin so. */
export function isIdPrefix(text: string): boolean {
  return text.length <= 64 && parseOrderId(`${text.slice(0, 63)}0`).ok;
}

/** Waiting orders come first, the longest waiting at the top, and ended ones the latest first. */
function sortOf({ sort }: OrderListState): OrderSort {
  return sort ?? 'waiting';
}

const emptyState: OrderListState = {
  group: undefined,
  status: undefined,
  step: undefined,
  since: undefined,
  id: undefined,
  sort: undefined,
  after: undefined,
  limit: pageSizes[0],
};

/** Reads the query of an address; what is no filter is left out. */
export function parseListState(parameters: URLSearchParams): OrderListState {
  const among = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === parameters.get(name));
  const id = parameters.get('id') ?? '';
  const limit = Number(parameters.get('limit'));
  return {
    group: among('group', orderGroups),
    status: among('status', orderStatuses),
    step: among('step', orderRowSteps),
    since: among(
      'since',
      periods.map(({ value }) => value),
    ),
    id: id !== '' && isIdPrefix(id) ? id : undefined,
    sort: among('sort', ['since', '-since']),
    after: parameters.get('after') || undefined,
    limit: pageSizes.find((size) => size === limit) ?? pageSizes[0],
  };
}

/** The query of the address that has the state. */
export function formatListState(state: OrderListState, live: string | null): string {
  const entries = Object.entries({
    ...state,
    limit: state.limit === pageSizes[0] ? undefined : String(state.limit),
    live: live ?? undefined,
  });
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}
