import type { ListPreference, SavedView } from '../../../api/platform/preference';
import { formatListState, parseListState, type ListState } from '../list-state';

/** Parameters of the address that a view keeps: filters, sort, page size and chosen columns. */
export function viewParameters(state: ListState, columns: readonly string[] | undefined): string {
  return formatListState({ ...state, columns, after: undefined, view: undefined });
}

/** The query of the address that opens a view. It says all that the view says, so that it also opens for somebody without the view. */
export function viewSearch({ id, parameters }: SavedView): string {
  return formatListState({ ...parseListState(new URLSearchParams(parameters)), view: id });
}

/** Whether the list shows something else than the view says. */
export function isChanged(view: SavedView, state: ListState, columns: readonly string[] | undefined): boolean {
  const said = parseListState(new URLSearchParams(view.parameters));
  return viewParameters(said, said.columns ?? columns) !== viewParameters(state, columns);
}

/** Why a view cannot have a name; undefined when it can. */
export function nameProblem(name: string, views: readonly SavedView[], own?: string): string | undefined {
  const wanted = name.trim().toLocaleLowerCase('en');
  if (wanted === '') return 'Give the view a name.';
  if (name.trim().length > 80) return 'At most 80 characters.';
  const taken = views.some(({ id, name: other }) => id !== own && other.toLocaleLowerCase('en') === wanted);
  return taken ? 'Another view has this name.' : undefined;
}

/** Adds a view, or replaces the one with its id. Another tab may have stored one of that name meanwhile. */
export function withView(stored: ListPreference | undefined, view: SavedView): ListPreference {
  const views = stored?.views ?? [];
  const problem = nameProblem(view.name, views, view.id);
  if (problem !== undefined) throw new Error(problem);
  const known = views.some(({ id }) => id === view.id);
  return { ...stored, views: known ? views.map((other) => (other.id === view.id ? view : other)) : [...views, view] };
}

/** Changes a view unless another tab has removed it. */
export function changeView(
  stored: ListPreference | undefined,
  id: string,
  part: Partial<SavedView>,
): ListPreference | undefined {
  const view = stored?.views.find((candidate) => candidate.id === id);
  if (view === undefined) throw new Error('This view was deleted in another tab. It can be saved as a new one.');
  return withView(stored, { ...view, ...part });
}

export function withoutView(stored: ListPreference | undefined, id: string): ListPreference | undefined {
  const { defaultView, ...rest } = stored ?? { views: [] };
  const views = rest.views.filter((view) => view.id !== id);
  const kept = { ...rest, views };
  return orNothing(defaultView === undefined || defaultView === id ? kept : { ...kept, defaultView });
}

export function withDefault(stored: ListPreference | undefined, id: string | undefined): ListPreference | undefined {
  const { defaultView: _before, ...rest } = stored ?? { views: [] };
  const exists = rest.views.some((view) => view.id === id);
  return orNothing(id === undefined || !exists ? rest : { ...rest, defaultView: id });
}

export function withColumns(
  stored: ListPreference | undefined,
  columns: readonly string[] | undefined,
): ListPreference | undefined {
  const { columns: _before, ...rest } = stored ?? { views: [] };
  return orNothing(columns === undefined ? rest : { ...rest, columns });
}

/** @param width in CSS pixels; undefined leaves it to the table */
export function withWidth(
  stored: ListPreference | undefined,
  column: string,
  width: number | undefined,
): ListPreference | undefined {
  const { widths = {}, ...rest } = stored ?? { views: [] };
  const { [column]: _before, ...others } = widths;
  const kept = width === undefined ? others : { ...others, [column]: width };
  return orNothing(Object.keys(kept).length === 0 ? rest : { ...rest, widths: kept });
}

export function withDensity(stored: ListPreference | undefined, isCompact: boolean): ListPreference | undefined {
  const { density: _before, ...rest } = stored ?? { views: [] };
  return orNothing(isCompact ? { ...rest, density: 'compact' } : rest);
}

/** A preference that says nothing is not stored. */
function orNothing(preference: ListPreference): ListPreference | undefined {
  const { views, ...table } = preference;
  return views.length === 0 && Object.keys(table).length === 0 ? undefined : preference;
}
