import type { ItemMetadata } from '@gantry/contracts';
import { useTimeout } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ListRequest } from '../../api/items';
import { useListPreference, type ListPreference, type Preference } from '../../api/preferences';
import { listQuery } from '../../api/queries';
import { defaultColumns, isSortable, resolveColumns, type TableColumn } from './columns';
import { useListState, type ListControl, type ListState } from './list-state';
import { viewSearch, withColumns } from './views/views';

/** What a list shows, from its address and from what is kept for its type. */
export interface ShownList {
  readonly control: ListControl;
  readonly preference: Preference<ListPreference>;
  readonly request: ListRequest;
  /** Names of the chosen columns, also of those that the type does not have any more. */
  readonly chosen: readonly string[];
  readonly columns: readonly TableColumn[];
  /** What the address names and the type does not have (any more). */
  readonly missing: readonly string[];
  /** The address says nothing, and it is not known yet whether a view opens then. */
  readonly waiting: boolean;
  /** The query of the view that an address without parameters opens. */
  readonly openFirst: string | undefined;
  /** Rejects when the columns cannot be kept. */
  chooseColumns(columns: readonly string[], keep: boolean): Promise<void>;
}

/** Longest time in milliseconds that a list waits for what is kept: without an answer it opens as the type has it. */
const longestWaitMs = 1000;

export function useShownList(metadata: ItemMetadata): ShownList {
  const client = useQueryClient();
  // Asked for at once, so that the answer is on its way while the page is made anew.
  const control = useListState((next) => {
    // Whether it fails, the page finds out itself.
    client.query(listQuery(metadata.code, requestOf(metadata, next))).catch(() => undefined);
  });
  const preference = useListPreference(metadata.code);
  const { search } = useLocation();
  const [waited, setWaited] = useState(false);
  useTimeout(() => setWaited(true), longestWaitMs, { autoInvoke: true });
  const { state } = control;
  const kept = preference.value?.columns;
  const chosen = useMemo(() => state.columns ?? kept ?? defaultColumns(metadata), [state.columns, kept, metadata]);
  const { columns, missing } = useMemo(() => resolveColumns(metadata, chosen), [metadata, chosen]);
  const request = requestOf(metadata, state);
  const first = preference.value?.views.find(({ id }) => id === preference.value?.defaultView);
  return {
    control,
    preference,
    request,
    chosen,
    columns,
    missing: request.sort === state.sort ? missing : [...missing, state.sort?.replace(/^-/, '') ?? ''],
    waiting: search === '' && !preference.settled && !waited,
    openFirst: search === '' && first !== undefined ? viewSearch(first) : undefined,
    async chooseColumns(names, keep) {
      const own = defaultColumns(metadata);
      control.showColumns(isSame(names, kept ?? own) ? undefined : names);
      if (keep) await preference.change((stored) => withColumns(stored, isSame(names, own) ? undefined : names));
    },
  };
}

function requestOf(metadata: ItemMetadata, { criteria, sort, after, limit }: ListState): ListRequest {
  return { criteria, sort: knownSort(metadata, sort), after, limit };
}

/** A field that is gone, or that cannot be searched any more, cannot sort: the platform would refuse the whole list. */
function knownSort(metadata: ItemMetadata, sort: string | undefined): string | undefined {
  return sort !== undefined && isSortable(metadata, sort.replace(/^-/, '')) ? sort : undefined;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
