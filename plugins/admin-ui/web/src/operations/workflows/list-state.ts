import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { pageSizes } from '../../ui/page/page-sizes';
import { usePageTrail, type PageTrail } from '../../ui/page/use-page-trail';
import type { WorkflowListRequest } from '../api/workflows';

const minute = 60_000;

/** How far back a list may be asked to go. */
export const periods = [
  { value: '15m', label: 'Last 15 minutes', milliseconds: 15 * minute },
  { value: '1h', label: 'Last hour', milliseconds: 60 * minute },
  { value: '24h', label: 'Last 24 hours', milliseconds: 24 * 60 * minute },
  { value: '7d', label: 'Last 7 days', milliseconds: 7 * 24 * 60 * minute },
] as const;

/** State of the list. The address holds all of it, so that a link and the Back button bring it back. */
export interface WorkflowListState {
  readonly status: WorkflowStatus | undefined;
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly started: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

export interface WorkflowListControl extends Omit<PageTrail, 'trail'> {
  readonly state: WorkflowListState;
  readonly filtered: boolean;
  /** Another filter or size; begins with the first page again. */
  change(part: Partial<Omit<WorkflowListState, 'after'>>): void;
  clear(): void;
}

export function useWorkflowListState(): WorkflowListControl {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const state = parse(parameters);
  const go = (next: WorkflowListState, nextTrail: readonly string[]): void => {
    void navigate({ search: format(next, parameters.get('live')) }, { state: { trail: nextTrail } });
  };
  const { trail: _trail, ...steps } = usePageTrail(state.after, (after, trail) => go({ ...state, after }, trail));
  const { status, type, id, started } = state;
  return {
    state,
    ...steps,
    filtered: [status, type, id, started].some((filter) => filter !== undefined),
    change: (part) => go({ ...state, ...part, after: undefined }, []),
    clear: () =>
      go({ ...state, status: undefined, type: undefined, id: undefined, started: undefined, after: undefined }, []),
  };
}

/** Request to the platform. */
export function requestOf({ started, ...state }: WorkflowListState): WorkflowListRequest {
  return { ...state, withinMs: periods.find(({ value }) => value === started)?.milliseconds };
}

/** Whether an id can stand in a query as it is. */
export function isSearchableId(id: string): boolean {
  return /^[^'"`\\\p{Cc}]{1,200}$/u.test(id);
}

function parse(parameters: URLSearchParams): WorkflowListState {
  const limit = Number(parameters.get('limit'));
  const id = parameters.get('id') ?? '';
  return {
    status: workflowStatuses.find((status) => status === parameters.get('status')),
    type: parameters.get('type') || undefined,
    id: isSearchableId(id) ? id : undefined,
    started: periods.find(({ value }) => value === parameters.get('started'))?.value,
    after: parameters.get('after') || undefined,
    limit: pageSizes.find((size) => size === limit) ?? pageSizes[0],
  };
}

function format(state: WorkflowListState, live: string | null): string {
  const entries = Object.entries({
    ...state,
    limit: state.limit === pageSizes[0] ? undefined : String(state.limit),
    live: live ?? undefined,
  });
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}
