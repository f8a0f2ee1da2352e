import { nameInSentence } from '../name-in-sentence';
import { may } from '../../common/may';
import './list.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { listQuery, typesQuery } from '../../api/queries';
import { PlusIcon, StarIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { useMetadata } from '../content-layout';
import { usePrefetchedItemPages } from '../item-pages';
import { useKeptRows, useSavedScroll, type ShownRows } from '../last-list';
import { ListItems } from './rows/list-items';
import { ListMenu } from './menu/list-menu';
import { SearchBar } from './search-bar';
import { SortMenu } from './columns/sort-menu';
import { useShownList, type ShownList } from './use-shown-list';
import { useTotal } from './use-total';
import { ViewMenu } from './view-menu';
import { useViewActions } from './views/use-view-actions';
import { ViewTabs } from './views/view-tabs';
import { ActionIcon } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { usePin } from './columns/use-pin';

/**
 * The items of a type, driven by its metadata and by the address; what is kept for the reader only fills in what the address leaves open. Of a
 * singleton, it leads to the one item.
 */
export function ListPage() {
  const metadata = useMetadata();
  const list = useShownList(metadata);
  const { control } = list;
  const scroll = useSavedScroll(metadata.code);
  const rows = useRows(list);
  useKeptRows(metadata.code, rows);
  const [isSelecting, setSelecting] = useState(false);
  usePrefetchedItemPages();
  const columns = list.isChosen ? list.chosen : undefined;
  const views = useViewActions({ preference: list.preference, state: control.state, columns });
  const isEmpty = useIsEmpty(list);
  if (metadata.singleton === true && rows?.ids[0] !== undefined) return <Navigate to={rows.ids[0]} replace />;
  if (list.openFirst !== undefined) return <Navigate to={{ search: list.openFirst }} replace />;
  return (
    <div className="list-page">
      <Header list={list} isEmpty={isEmpty} onSelect={() => setSelecting(true)} />
      {isEmpty ? null : (
        <>
          <ViewTabs metadata={metadata} state={control.state} actions={views} />
          <SearchBar metadata={metadata} filter={list.filter} onChange={control.change}>
            <SortMenu metadata={metadata} sort={list.request.sort} onSort={(sort) => control.change({ sort })} />
            <ViewMenu list={list} views={views} />
          </SearchBar>
        </>
      )}
      <ListItems list={list} scroll={scroll} isSelecting={isSelecting} onSelected={() => setSelecting(false)} />
    </div>
  );
}

interface HeaderProps {
  readonly list: ShownList;
  /** The way to a new item is in the middle of the page then. */
  readonly isEmpty: boolean;
  onSelect(): void;
}

function Header({ list, isEmpty, onSelect }: HeaderProps) {
  const metadata = useMetadata();
  const { data: types = [] } = useQuery(typesQuery);
  const owner = types.find(({ type }) => type === metadata.code)?.pluginName ?? 'its plugin';
  const total = useTotal(metadata.code, list);
  return (
    <PageHeader
      title={metadata.displayNamePlural}
      status={isEmpty || total.text === undefined ? null : <span className="page-total">{total.text}</span>}
      description={metadata.readOnly ? `Read-only: managed by ${owner}` : undefined}
      actions={
        <>
          <PinButton metadata={metadata} />
          <ListMenu list={list} onSelect={onSelect} />
          {isEmpty || !may(metadata, 'create') ? null : (
            <LinkButton to={`/content/${metadata.code}/new`} leftSection={<PlusIcon size={16} />}>
              <span className="clipped">New {nameInSentence(metadata.displayName)}</span>
            </LinkButton>
          )}
        </>
      }
    />
  );
}

/** The items of the page that the address names. */
function useRows(list: ShownList): ShownRows | undefined {
  const { code } = useMetadata();
  const { text } = useTotal(code, list);
  // Only looks at what the list asks for.
  const { data, isPlaceholderData } = useQuery({ ...listQuery(code, list.request), enabled: false });
  if (data === undefined || isPlaceholderData) return undefined;
  return { ids: data.items.map(({ id }) => id), before: list.control.before, total: text };
}

/** There is no item at all, so that there is nothing to search, to sort or to show otherwise. */
function useIsEmpty({ request, control }: ShownList): boolean {
  const { code } = useMetadata();
  const { state } = control;
  // Only looks at what the list asks for.
  const { data, isPlaceholderData } = useQuery({ ...listQuery(code, request), enabled: false });
  const isWhole = state.criteria.length === 0 && state.q === undefined && state.after === undefined;
  return isWhole && !isPlaceholderData && data?.items.length === 0;
}

/** Puts a type among the favourites of the navigation, or takes it away; where it has no room, the menu of the list does. */
function PinButton({ metadata }: { readonly metadata: ItemMetadata }) {
  const { isPinned, text, toggle } = usePin(metadata);
  return (
    <ActionIcon
      className="only-wide"
      variant="subtle"
      color="gray"
      size="lg"
      title={text}
      aria-label={`Favourite: show ${metadata.displayName} at the top of the navigation`}
      aria-pressed={isPinned}
      onClick={toggle}
    >
      <StarIcon fill={isPinned ? 'currentColor' : 'none'} />
    </ActionIcon>
  );
}
