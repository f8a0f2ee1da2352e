import { LinkTabs } from '../../../ui/link-tabs';
import { noView } from '../list-state';
import type { ViewActions } from './use-view-actions';
import { viewSearch } from './views';

/** The saved views of a list beside one another; nothing while there is none. */
export function ViewTabs({ actions: { views, current, isChanged } }: { readonly actions: ViewActions }) {
  if (views.length === 0) return null;
  const all = {
    key: noView,
    label: 'All items',
    to: `?view=${noView}`,
    isOpen: current === undefined,
    count: undefined,
  };
  const tabs = views.map((view) => ({
    key: view.id,
    label: view.id === current?.id && isChanged ? `${view.name} (changed)` : view.name,
    to: `?${viewSearch(view)}`,
    isOpen: view.id === current?.id,
    count: undefined,
  }));
  return <LinkTabs label="Saved views" tabs={[all, ...tabs]} />;
}
