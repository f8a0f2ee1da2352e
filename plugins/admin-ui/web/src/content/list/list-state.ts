import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams, type NavigateOptions } from 'react-router-dom';
import { pageSizes } from '../../ui/page/page-sizes';
import { usePageTrail, type PageTrail } from '../../ui/page/use-page-trail';
import type { CriterionEntry } from '../../api/items';
import { entryText, readEntry } from './filter/criteria-address';

/** Means no view where an address without any parameter would open the default one. */
export const noView = 'all';

/** State of a list. The address holds all of it, so that a link and the Back button bring it back. */
export interface ListState {
  readonly criteria: readonly CriterionEntry[];
  /** Search text for label fields. */
  readonly q: string | undefined;
  readonly sort: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
  /** Names of columns in order; undefined leaves them to what the reader keeps for the type, or to the type. */
  readonly columns: readonly string[] | undefined;
  /** The id of the saved view that was opened. It names the view only: all that it says is in the other parameters. */
  readonly view: string | undefined;
}

export interface ListControl extends Omit<PageTrail, 'trail' | 'pagesBefore'> {
  readonly state: ListState;
  /** How many items are before the page; undefined where a link led to a page in the middle. */
  readonly before: number | undefined;
  /** Another filter, sort or size; begins with the first page again. `replace` keeps the entry of the history. */
  change(part: Partial<Omit<ListState, 'after'>>, options?: { readonly replace?: boolean }): void;
  /** Other columns, on the same page. */
  showColumns(columns: readonly string[] | undefined): void;
}

export function useListState(): ListControl {
  const [parameters] = useSearchParams();
  const { key } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => parseListState(parameters), [parameters]);
  const pending = useRef<ListState>(undefined);
  useEffect(() => () => void (pending.current = undefined), [key]);
  const go = (next: ListState, nextTrail: readonly string[], options: Partial<NavigateOptions> = {}): void => {
    pending.current = next;
    const search = formatListState(next) || `view=${noView}`;
    void navigate({ search }, { state: { trail: nextTrail }, ...options });
  };
  const { trail, pagesBefore, ...steps } = usePageTrail(state.after, (after, nextTrail) =>
    go({ ...state, after }, nextTrail),
  );
  return {
    state,
    before: pagesBefore === undefined ? undefined : pagesBefore * state.limit,
    ...steps,
    // A change applies to the state that is being loaded and is not shown yet.
    change: (part, { replace = false } = {}) =>
      go({ ...(pending.current ?? state), ...part, after: undefined }, [], { replace }),
    // The items stay; they are not loaded again.
    showColumns: (columns) => go({ ...state, columns }, trail, { defaultShouldRevalidate: false }),
  };
}

/** `q=spade&f=name.CONTAINS.spade&f=catalog.code.EQUALS.A&sort=-price&limit=100&columns=code,price&after=…`; what cannot be read is left out. */
export function parseListState(parameters: URLSearchParams): ListState {
  const limit = Number(parameters.get('limit'));
  return {
    criteria: parameters.getAll('f').flatMap(readEntry),
    q: searchText(parameters.get('q') ?? ''),
    sort: parameters.get('sort') ?? undefined,
    after: parameters.get('after') ?? undefined,
    limit: pageSizes.find((size) => size === limit) ?? pageSizes[0],
    columns: parameters.get('columns')?.split(',').filter(Boolean),
    view: parameters.get('view') ?? undefined,
  };
}

export function formatListState({ criteria, q, sort, after, limit, columns, view }: ListState): string {
  const parameters = new URLSearchParams();
  if (view !== undefined) parameters.set('view', view);
  if (q !== undefined) parameters.set('q', q);
  for (const entry of criteria) parameters.append('f', entryText(entry));
  if (sort !== undefined) parameters.set('sort', sort);
  if (limit !== pageSizes[0]) parameters.set('limit', String(limit));
  if (columns !== undefined) parameters.set('columns', columns.join(','));
  if (after !== undefined) parameters.set('after', after);
  return parameters.toString();
}

/** The address of the list of a type with these filters, and searched for the text. */
export function filteredList(type: string, criteria: readonly CriterionEntry[], q = ''): string {
  const unfiltered = parseListState(new URLSearchParams());
  return `/content/${type}?${formatListState({ ...unfiltered, criteria, q: searchText(q) })}`;
}

/** Characters of a search text that the platform takes at most. */
export const maxSearchText = 200;

/** Search text that the platform accepts; undefined when none is left. */
export function searchText(typed: string): string | undefined {
  const text = Array.from(typed.replaceAll(/\p{Cc}/gu, ' ').trim())
    .slice(0, maxSearchText)
    .join('')
    .trim();
  return text === '' ? undefined : text;
}
