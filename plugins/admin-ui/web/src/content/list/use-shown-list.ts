import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useLongerThan } from '../../ui/time/use-longer-than';
import { notifyNotStored } from '../../ui/text/notify-not-stored';
import type { ListFilter, ListRequest } from '../../api/items';
import type { ListPreference } from '../../api/platform/preference';
import { listQuery } from '../../api/queries';
import { firstView, useListPreference, type Preference } from '../../api/platform/preferences';
import { defaultColumns, resolveColumns, type TableColumn } from './columns/columns';
import { withoutRefused } from './filter/fitting-criteria';
import { listRequestOf } from './list-request';
import { useListState, type ListControl } from './list-state';
import { viewSearch, withColumns, withDensity, withWidth } from './views/views';

/** State of a list, from its address and from the preferences for its type. */
export interface ShownList {
  readonly control: ListControl;
  readonly preference: Preference<ListPreference>;
  /** All that the address says. */
  readonly filter: ListFilter;
  /** Without criteria that the platform refuses. */
  readonly request: ListRequest;
  /** Why it refuses them. */
  readonly refused: readonly string[];
  /** Names of the chosen columns, also of those that the type does not have any more. */
  readonly chosen: readonly string[];
  readonly columns: readonly TableColumn[];
  /** The reader has chosen the columns; otherwise they are those of the type, of which only those are shown that have room. */
  readonly isChosen: boolean;
  /** Names in the address that the type does not have (any more). */
  readonly missing: readonly string[];
  /** The address says nothing, and it is not known yet whether a view opens then. */
  readonly waiting: boolean;
  /** The query of the view that an address without parameters opens. */
  readonly openFirst: string | undefined;
  /** In CSS pixels, by name of a column that was given one. */
  readonly widths: Readonly<Record<string, number>>;
  readonly isCompact: boolean;
  /** Keeps the width of a column; undefined leaves it to the table. */
  setWidth(column: string, width: number | undefined): void;
  setCompact(isCompact: boolean): void;
  /** Rejects when the columns cannot be kept. */
  chooseColumns(columns: readonly string[], keep: boolean): Promise<void>;
}

/** Longest time in milliseconds that a list waits for what is kept: without an answer it opens as the type has it. */
const longestWaitMs = 1000;

export function useShownList(metadata: ItemMetadata): ShownList {
  const control = useListState();
  const preference = useListPreference(metadata.code);
  const { search, key } = useLocation();
  const waited = useLongerThan(longestWaitMs, true);
  const { state } = control;
  const kept = preference.value?.columns;
  const chosen = useMemo(() => state.columns ?? kept ?? defaultColumns(metadata), [state.columns, kept, metadata]);
  const { columns, missing } = useMemo(() => resolveColumns(metadata, chosen), [metadata, chosen]);
  const asked = listRequestOf(metadata, state);
  const first = firstView(preference.value);
  const waiting = search === '' && !preference.settled && !waited;
  // A view that is known late does not move a list that somebody reads.
  const [read, setRead] = useState<string>();
  const openFirst = search === '' && read !== key && first !== undefined ? viewSearch(first) : undefined;
  if (!waiting && openFirst === undefined && read !== key) setRead(key);
  const { error } = useQuery({
    ...listQuery(metadata.code, asked),
    enabled: !waiting && openFirst === undefined,
    notifyOnChangeProps: ['error'],
  });
  const { request, refused } = withoutRefused(asked, error);
  const store = (change: Parameters<typeof preference.change>[0]): void => {
    preference.change(change).catch(notifyNotStored);
  };
  return {
    control,
    preference,
    filter: { criteria: asked.criteria, q: asked.q },
    request,
    refused,
    chosen,
    columns,
    isChosen: (state.columns ?? kept) !== undefined,
    missing: request.sort === state.sort ? missing : [...missing, state.sort?.replace(/^-/, '') ?? ''],
    waiting,
    openFirst,
    widths: preference.value?.widths ?? noWidths,
    isCompact: preference.value?.density === 'compact',
    setWidth: (column, width) => store((stored) => withWidth(stored, column, width)),
    setCompact: (isCompact) => store((stored) => withDensity(stored, isCompact)),
    async chooseColumns(names, keep) {
      if (!keep) return control.showColumns(kept !== undefined && isSame(names, kept) ? undefined : names);
      const isOwn = isSame(names, defaultColumns(metadata));
      try {
        await preference.change((stored) => withColumns(stored, isOwn ? undefined : names));
      } catch (problem) {
        control.showColumns(names);
        throw problem;
      }
      control.showColumns(undefined);
    },
  };
}

const noWidths: Readonly<Record<string, number>> = {};

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
