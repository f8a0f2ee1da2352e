import { CloseButton, Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../api/api-error';
import type { Item, Reference } from '../../api/items';
import { metadataQuery } from '../../api/queries';
import { itemLabel, itemSubLabel } from '../label';
import { findReferences, type SearchPosition } from './find-references';

export interface ReferenceSelectProps {
  /** Visible label; `aria-label` only when `labelled` says that one is there already. */
  readonly label: string;
  readonly target: string;
  readonly id?: string;
  /** What the closed input shows. */
  readonly chosenText?: string | undefined;
  /** Ids that are chosen already and not offered. */
  readonly without?: readonly string[];
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  readonly visibleLabel?: boolean;
  onChoose(reference: Reference): void;
  readonly onClear?: (() => void) | undefined;
}

const typingPauseMs = 200;
const more = ' more';

/** Finds one item of a type as the reader types. */
export function ReferenceSelect(props: ReferenceSelectProps) {
  const { label, target, chosenText, without = [], onChoose, onClear, visibleLabel = false } = props;
  const [term, setTerm] = useState('');
  const search = useReferenceSearch(target);
  const combobox = useCombobox({
    onDropdownOpen: () => search.open(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTerm('');
      search.type('');
    },
  });
  const items = search.items.filter(({ id }) => !without.includes(id));
  const submit = (value: string): void => {
    if (value === more) {
      search.loadMore();
      return;
    }
    const chosen = items.find(({ id }) => id === value);
    if (chosen === undefined) return;
    onChoose({ id: chosen.id, label: itemLabel(chosen) });
    combobox.closeDropdown();
  };
  const opened = combobox.dropdownOpened;
  return (
    <Combobox store={combobox} onOptionSubmit={submit} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          id={props.id}
          data-search-value={visibleLabel ? undefined : true}
          label={visibleLabel ? label : undefined}
          aria-label={visibleLabel ? undefined : label}
          description={props.description}
          error={props.error}
          withAsterisk={props.required ?? false}
          aria-required={props.required}
          role="combobox"
          autoComplete="off"
          placeholder={chosenText ?? props.placeholder ?? 'Search …'}
          value={opened ? term : (chosenText ?? '')}
          onChange={(event) => {
            combobox.openDropdown();
            combobox.resetSelectedOption();
            setTerm(event.currentTarget.value);
            search.type(event.currentTarget.value);
          }}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSection={clearButton(search.busy && opened, chosenText, onClear)}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} className="options" aria-label={label}>
          {items.map((item) => (
            <Choice key={item.id} item={item} />
          ))}
          {search.hasMore ? (
            <Combobox.Option value={more}>
              <Text size="sm" fw={600}>
                {search.busy ? 'Loading …' : 'Load more'}
              </Text>
            </Combobox.Option>
          ) : null}
          {items.length === 0 ? <Combobox.Empty>{emptyText(search)}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Choice({ item }: { readonly item: Item }) {
  const subLabel = itemSubLabel(item);
  return (
    <Combobox.Option value={item.id}>
      <Text size="sm" truncate dir="auto">
        {itemLabel(item).slice(0, 200)}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        #{item.id} {subLabel === undefined ? '' : `· ${subLabel.slice(0, 200)}`}
      </Text>
    </Combobox.Option>
  );
}

function clearButton(busy: boolean, chosenText: string | undefined, onClear: (() => void) | undefined): ReactNode {
  if (busy) return <Loader size={16} />;
  return chosenText === undefined || onClear === undefined ? null : (
    <CloseButton aria-label="Clear choice" onClick={onClear} />
  );
}

function emptyText({ busy, error }: ReferenceSearch): string {
  if (error !== null) return messageOf(error);
  return busy ? 'Searching …' : 'Nothing found';
}

interface ReferenceSearch {
  readonly items: readonly Item[];
  readonly busy: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  open(): void;
  type(term: string): void;
  loadMore(): void;
}

/** Asks once the reader pauses, and never twice within that pause; a request that is overtaken is cancelled. */
function useReferenceSearch(target: string): ReferenceSearch {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(false);
  const [typed, setTyped] = useState('');
  const [term] = useDebouncedValue(typed, typingPauseMs);
  const first: SearchPosition = { field: undefined, after: undefined };
  const pages = useInfiniteQuery({
    queryKey: ['items', target, 'references', term],
    queryFn: async ({ pageParam, signal }) =>
      findReferences(await client.query({ ...metadataQuery(target), staleTime: 'static' }), term, pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (last) =>
      last.nextCursor === undefined ? undefined : { field: last.field, after: last.nextCursor },
    enabled: wanted,
    refetchInterval: false,
  });
  return {
    items: pages.data?.pages.flatMap(({ items }) => items) ?? [],
    busy: pages.isFetching || term !== typed,
    hasMore: pages.hasNextPage,
    error: pages.error,
    open: () => setWanted(true),
    type: setTyped,
    loadMore: () => void pages.fetchNextPage(),
  };
}
