import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../../../api/queries';
import { cappedCount } from '../../../ui/text/capped-count';
import { PlusIcon } from '../../../ui/icons';
import { IconButton } from '../../../ui/page/link-button';
import { LinkTabs } from '../../../ui/page/link-tabs';
import { filteredList, noView, type ListState } from '../list-state';
import type { ViewActions } from './use-view-actions';
import { viewSearch } from './views';

export interface ViewTabsProps {
  readonly metadata: ItemMetadata;
  readonly state: ListState;
  readonly actions: ViewActions;
}

/**
 * All items, what of a list needs a person, as its type declares it, with how many there are, and the saved views. The views have
 * no counts: each would be a further request. The line is there before anything is known of them, so that no row moves.
 */
export function ViewTabs({ metadata, state, actions }: ViewTabsProps) {
  const { views, current, isChanged } = actions;
  const { data: attention = [] } = useQuery({ ...attentionQuery, staleTime: 30_000 });
  const urgent = attention
    .filter(({ type }) => type === metadata.code)
    .map(({ title, criteria, count, isMore }) => ({
      key: `attention ${title}`,
      label: title,
      to: filteredList(metadata.code, criteria),
      isOpen: current === undefined && state.q === undefined && isSame(criteria, state.criteria),
      count: cappedCount(count, isMore),
    }));
  const all = {
    key: noView,
    label: 'All',
    to: `?view=${noView}`,
    isOpen: current === undefined && !urgent.some(({ isOpen }) => isOpen),
    count: undefined,
  };
  const tabs = views.map((view) => ({
    key: view.id,
    label: view.id === current?.id && isChanged ? `${view.name} (changed)` : view.name,
    to: `?${viewSearch(view)}`,
    isOpen: view.id === current?.id,
    count: undefined,
  }));
  return (
    <LinkTabs label="Views" tabs={[all, ...urgent, ...tabs]}>
      <IconButton label="Save as a new view" size={28} onClick={() => actions.ask({ kind: 'create' })}>
        <PlusIcon size={16} />
      </IconButton>
    </LinkTabs>
  );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
