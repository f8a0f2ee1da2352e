import { nameInSentence } from '../name-in-sentence';
import { may } from '../../common/may';
import './list.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { typesQuery } from '../../api/queries';
import { PlusIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page';
import { useMetadata } from '../content-layout';
import { RefreshButton } from '../live/changed-count';
import { usePrefetchedItemPages } from '../item-pages';
import { useSavedScroll } from '../last-list';
import { ListItems } from './list-items';
import { ListMenu } from './list-menu';
import { PinButton } from './pin-button';
import { SearchBar } from './search-bar';
import { useShownList, type ShownList } from './use-shown-list';
import { useViewActions, type ViewActions } from './views/use-view-actions';
import { ViewTabs } from './views/view-tabs';

/** The items of a type, driven by its metadata and by the address; what is kept for the reader only fills in what the address leaves open. */
export function ListPage() {
  const metadata = useMetadata();
  const list = useShownList(metadata);
  const { data: types = [] } = useQuery(typesQuery);
  const owner = types.find(({ type }) => type === metadata.code)?.pluginName ?? 'its plugin';
  const { control } = list;
  const scroll = useSavedScroll(metadata.code);
  usePrefetchedItemPages();
  const views = useViewActions({ preference: list.preference, state: control.state, columns: list.chosen });
  if (list.openFirst !== undefined) return <Navigate to={{ search: list.openFirst }} replace />;
  return (
    <div className="list-page">
      <PageHeader
        title={metadata.displayNamePlural}
        description={metadata.readOnly ? `Read-only: managed by ${owner}` : undefined}
        actions={<Actions list={list} views={views} />}
      />
      <ViewTabs actions={views} />
      <SearchBar metadata={metadata} filter={list.filter} onChange={control.change} />
      <ListItems list={list} scroll={scroll} />
    </div>
  );
}

function Actions({ list, views }: { readonly list: ShownList; readonly views: ViewActions }) {
  const metadata = useMetadata();
  return (
    <>
      <PinButton metadata={metadata} />
      <RefreshButton metadata={metadata} request={list.request} />
      <ListMenu list={list} views={views} />
      {!may(metadata, 'create') ? null : (
        <LinkButton to={`/content/${metadata.code}/new`} leftSection={<PlusIcon size={16} />}>
          <span className="clipped">New {nameInSentence(metadata.displayName)}</span>
        </LinkButton>
      )}
    </>
  );
}
