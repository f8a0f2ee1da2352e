import { useLocation, useSearchParams } from 'react-router-dom';

/** Whether a page refreshes by itself; the address says so (`live=off`). */
export interface Live {
  readonly live: boolean;
  setLive(live: boolean): void;
  /** For `refetchInterval` of a query. A hidden page asks nothing; TanStack Query sees to that. */
  every(milliseconds: number): RefreshInterval;
}

type RefreshInterval = (query: { readonly state: QueryTimes }) => number | false;

interface QueryTimes {
  readonly status: 'pending' | 'error' | 'success';
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
  readonly errorUpdateCount: number;
}

export function useLive(): Live {
  const [parameters, setParameters] = useSearchParams();
  const location = useLocation();
  const live = parameters.get('live') !== 'off';
  return {
    live,
    setLive(next) {
      const changed = new URLSearchParams(parameters);
      if (next) changed.delete('live');
      else changed.set('live', 'off');
      setParameters(changed, { replace: true, state: location.state as unknown });
    },
    every: (milliseconds) => (query) => (live ? refreshAfter(query.state, milliseconds) : false),
  };
}

const slowestMs = 30_000;

/** After failures it waits as long again as nothing has come, up to half a minute: 2, 4, 8 … seconds. */
function refreshAfter(state: QueryTimes, milliseconds: number): number {
  if (state.status !== 'error') return milliseconds;
  const awayMs =
    state.dataUpdatedAt === 0 ? milliseconds * 2 ** state.errorUpdateCount : state.errorUpdatedAt - state.dataUpdatedAt;
  return Math.min(Math.max(awayMs, milliseconds), slowestMs);
}
