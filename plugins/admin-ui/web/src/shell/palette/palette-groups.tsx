import { nameInSentence } from '../../content/name-in-sentence';
import type { ModelInfo } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { itemLabel } from '../../api/label';
import type { FoundGroup } from '../../api/search';
import { hasWords } from '../../common/has-words';
import { LabelThumbnail } from '../../content/thumbnail';
import { filteredList } from '../../content/list/list-state';
import type { PluginPageEntry } from '../../plugin-ui/page/plugin-page-entry';
import { ClockIcon, InboxIcon, PlusIcon, RightIcon, SearchIcon, TypeIcon, UploadIcon } from '../../ui/icons';
import type { RecentPage } from '../../ui/page/recent-pages';
import { fixedEntries } from '../navigation-sections';
import { may } from '../../common/may';
import type { PageAction } from './page-actions';
import type { PaletteSearch } from './use-palette-search';

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  run(): void;
}

export interface PaletteGroup {
  readonly key: string;
  readonly label: string;
  readonly actions: readonly PaletteAction[];
}

export interface PaletteContent {
  readonly query: string;
  /** Of the page in sight. */
  readonly path: string;
  readonly actions: readonly PageAction[];
  readonly recent: readonly RecentPage[];
  readonly types: readonly ModelInfo[];
  readonly pages: readonly PluginPageEntry[];
  readonly search: Pick<PaletteSearch, 'groups' | 'orders' | 'latest'>;
  /** Text that distinguishes an item from others of the same name, as far as it is known. */
  distinctionOf(type: string, id: string): string | undefined;
  readonly help: readonly PaletteAction[];
  open(to: string): void;
  afterClosing(run: () => void): void;
}

/** Entries of a group at most. */
const maxEntries = 6;

/**
 * Entries of the palette: without a text the actions of the page, pages that were open, and pages. With a text: pages whose names
 * begin with it, the items that the platform has found, other pages with it in their names, and the latest items of the type that it names.
 * Groups without an entry are left out.
 */
export function paletteGroups(content: PaletteContent): readonly PaletteGroup[] {
  const { query, types } = content;
  const named = (key: string, label: string, all: readonly PaletteAction[]): PaletteGroup => {
    const found = all.filter((action) => hasWords(`${action.label} ${action.description ?? ''}`, query));
    return { key, label, actions: found.slice(0, maxEntries) };
  };
  const begin = (what: string, path: string, icon: ReactNode) =>
    types
      .filter((type) => may(type, path === 'new' ? 'create' : 'import'))
      .map(({ type, displayName, displayNamePlural }) => ({
        id: `${path} ${type}`,
        label: `${what} ${nameInSentence(path === 'new' ? displayName : displayNamePlural)}`,
        icon,
        run: () => content.open(`/content/${type}/${path}`),
      }));
  const isTyped = query.trim() !== '';
  const [begun, others] = isTyped ? byBeginning(allPages(content), query) : [[], allPages(content)];
  const pages = named(' pages', 'Pages', [...begun, ...others]);
  const groups = [
    ...(begun.length === 0 ? [] : [pages]),
    ...(isTyped ? foundGroups(content) : []),
    named(' actions', 'This page', pageActions(content)),
    named(' recent', 'Recent', recentPages(content)),
    ...(begun.length === 0 ? [pages] : []),
    ...(isTyped
      ? [
          named(' create', 'Create', begin('New', 'new', <PlusIcon />)),
          named(' import', 'Import', begin('Import', 'import', <UploadIcon />)),
        ]
      : []),
    named(' help', 'Help', content.help),
    ...(isTyped ? latestGroup(content) : []),
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}

/** Those whose names begin with the text, and the others. */
function byBeginning(
  actions: readonly PaletteAction[],
  query: string,
): readonly [begun: readonly PaletteAction[], others: readonly PaletteAction[]] {
  const text = query.trim().toLocaleLowerCase();
  const begins = ({ label }: PaletteAction): boolean => label.toLocaleLowerCase().startsWith(text);
  return [actions.filter(begins), actions.filter((action) => !begins(action))];
}

function pageActions({ actions, path, types, open, afterClosing }: PaletteContent): readonly PaletteAction[] {
  const type = types.find((candidate) => path === `/content/${candidate.type}` && may(candidate, 'import'));
  const clicks = actions.map(({ label, run }) => ({
    id: `action ${label}`,
    label,
    icon: <RightIcon />,
    run: () => afterClosing(run),
  }));
  if (type === undefined) return clicks;
  const importing = {
    id: 'action import',
    label: `Import ${nameInSentence(type.displayNamePlural)}`,
    icon: <UploadIcon />,
    run: () => open(`/content/${type.type}/import`),
  };
  return [...clicks.slice(0, 1), importing, ...clicks.slice(1)];
}

/** Pages of items that were found are among these. */
function recentPages({ recent, types, search, open }: PaletteContent): readonly PaletteAction[] {
  const found = new Set([
    ...search.groups.flatMap(({ type, items }) => items.map(({ id }) => `/content/${type}/${id}`)),
    ...(search.latest?.items ?? []).map(({ id }) => `/content/${search.latest?.type.type}/${id}`),
  ]);
  const others = recent.filter(({ to }) => !found.has(to));
  return others.map(({ to, title }) => {
    const type = types.find(({ type: code }) => to.startsWith(`/content/${code}/`));
    return {
      id: `recent ${to}`,
      label: title,
      description: type?.displayName,
      icon: <ClockIcon />,
      run: () => open(to),
    };
  });
}

function allPages({ types, pages, open }: PaletteContent): readonly PaletteAction[] {
  return [
    ...[...fixedEntries, ...pages].map(({ label, to, icon }) => ({ id: to, label, icon, run: () => open(to) })),
    ...types.map(({ type, displayNamePlural, pluginName, icon }) => ({
      id: `list ${type}`,
      label: displayNamePlural,
      description: pluginName,
      icon: <TypeIcon path={icon} />,
      run: () => open(`/content/${type}`),
    })),
  ];
}

function foundGroups(content: PaletteContent): readonly PaletteGroup[] {
  const { search, open } = content;
  const orders: PaletteGroup = {
    key: ' orders',
    label: 'Orders',
    actions: search.orders.map(({ orderId, status }) => ({
      id: `order ${orderId}`,
      label: orderId,
      description: status === null ? 'Order' : `Order, ${status.toLocaleLowerCase().replaceAll('_', ' ')}`,
      icon: <InboxIcon />,
      run: () => open(`/operations/orders/${encodeURIComponent(orderId)}`),
    })),
  };
  return [orders, ...search.groups.map((group) => itemGroup(group, content))];
}

/** Items of the type that the text names, except those that the search has found. */
function latestGroup({ search: { latest, groups }, open }: PaletteContent): readonly PaletteGroup[] {
  if (latest === undefined) return [];
  const { type, items } = latest;
  const found = new Set(groups.find((group) => group.type === type.type)?.items.map(({ id }) => id));
  return [
    {
      key: ' latest',
      label: `${type.displayNamePlural} changed last`,
      actions: items
        .filter(({ id }) => !found.has(id))
        .map((item) => ({
          id: `latest ${type.type} ${item.id}`,
          label: itemLabel(item, type),
          description: type.displayName,
          icon: <TypeIcon path={type.icon} />,
          run: () => open(`/content/${type.type}/${item.id}`),
        })),
    },
  ];
}

function itemGroup(group: FoundGroup, { query, types, distinctionOf, open }: PaletteContent): PaletteGroup {
  const { type, displayName, displayNamePlural, items, isMore } = group;
  const icon = <TypeIcon path={types.find((known) => known.type === type)?.icon} />;
  const all: PaletteAction = {
    id: `all ${type}`,
    label: `All ${nameInSentence(displayNamePlural)} with “${query.trim()}”`,
    icon: <SearchIcon />,
    run: () => open(filteredList(type, [], query)),
  };
  return {
    key: type,
    label: displayNamePlural,
    actions: [
      ...items.map(({ id, label, code, image }) => ({
        id: `${type} ${id}`,
        label,
        description: [displayName, code, distinctionOf(type, id)].filter((part) => part !== undefined).join(' · '),
        icon: image === undefined ? icon : <LabelThumbnail value={image} size={24} />,
        run: () => open(`/content/${type}/${id}`),
      })),
      ...(isMore ? [all] : []),
    ],
  };
}
