import { Button, Kbd, Loader, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { closeSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery, useQueries } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { messageOf } from '../../api/api-error';
import { typesQuery, itemQuery } from '../../api/queries';
import { usePageEntries } from '../../plugin-ui/page/page-entries';
import { InfoIcon, MoonIcon, SearchIcon, SunIcon } from '../../ui/icons';
import { readRecentPages, type RecentPage } from '../../ui/page/recent-pages';
import { readPageActions, type PageAction } from './page-actions';
import { paletteGroups, type PaletteGroup } from './palette-groups';
import { usePaletteSearch, type PaletteSearch } from './use-palette-search';
import './palette.css';
import { referencesIn } from '../../api/items';
import type { FoundGroup } from '../../api/search';

/** Finds items, orders and pages, and does what the page in sight or any page offers: Ctrl+K (or Command+K). */
export function CommandPalette({ onHelp }: { onHelp(): void }) {
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<Opened>(readOpened);
  const pending = useRef<() => void>(undefined);
  const search = usePaletteSearch(query);
  const distinctionOf = useDistinctions(search.groups);
  const { data: types = [] } = useQuery(typesQuery);
  const pages = usePageEntries(types);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const colours = useOtherColours();
  const groups = paletteGroups({
    ...opened,
    query,
    path: pathname,
    search,
    distinctionOf,
    types,
    pages,
    open: (to) => void navigate(to),
    // The palette gives the focus back when it has closed; a menu or dialog opens after that.
    afterClosing: (run) => void (pending.current = run),
    help: [
      { id: 'help', label: 'Keyboard shortcuts', icon: <InfoIcon />, run: onHelp },
      {
        id: 'api',
        label: 'API documentation',
        description: '/api/docs',
        icon: <InfoIcon />,
        run: () => window.location.assign('/api/docs'),
      },
      { id: 'colours', label: colours.label, icon: colours.icon, run: colours.change },
    ],
  });
  const [hasMoved, setHasMoved] = useState(false);
  useFirstSelected(groups, query.trim() !== '' && !hasMoved);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={(text) => {
        setHasMoved(false);
        setQuery(text);
      }}
      onSpotlightOpen={() => setOpened(readOpened)}
      // The key is known before this is loaded: see the frame.
      shortcut={null}
      scrollable
      maxHeight={520}
      // As below dialogs. To blur the page takes a machine without a graphics card long for each frame, also when a caret blinks.
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      transitionProps={{
        onExited: () => {
          const run = pending.current;
          pending.current = undefined;
          run?.();
        },
      }}
    >
      <Spotlight.Search
        placeholder="Search items, orders and pages"
        aria-label="Go to"
        maxLength={200}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') setHasMoved(true);
        }}
        leftSection={<SearchIcon />}
        rightSection={search.isSearching ? <Loader size={16} /> : null}
      />
      {groups.length === 0 ? null : (
        <Spotlight.ActionsList className="palette-list">
          {groups.map((group) => (
            <Group key={group.key} group={group} />
          ))}
        </Spotlight.ActionsList>
      )}
      <Status query={query} search={search} isEmpty={groups.length === 0} />
    </Spotlight.Root>
  );
}

/** State of the page when the palette was opened. */
interface Opened {
  readonly actions: readonly PageAction[];
  readonly recent: readonly RecentPage[];
}

function readOpened(): Opened {
  return { actions: readPageActions(), recent: readRecentPages().slice(1) };
}

function Group({ group: { label, actions } }: { readonly group: PaletteGroup }) {
  return (
    <Spotlight.ActionsGroup label={label}>
      {actions.map(({ id, label: text, description, icon, run }) => (
        <Spotlight.Action
          key={id}
          label={text}
          leftSection={icon}
          rightSection={description}
          highlightQuery
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** Says what the search came to; results that are in sight speak for themselves. */
function Status({
  query,
  search,
  isEmpty,
}: {
  readonly query: string;
  readonly search: PaletteSearch;
  readonly isEmpty: boolean;
}) {
  const count = search.orders.length + search.groups.reduce((sum, { items }) => sum + items.length, 0);
  const isSettled = query.trim() !== '' && !search.isSearching;
  const found = isSettled && search.error === null ? `${count} ${count === 1 ? 'item' : 'items'} found` : '';
  const hasFailed = search.error !== null;
  return (
    <>
      <div role="status" className={isEmpty ? undefined : 'visually-hidden'}>
        {isEmpty ? (
          <Spotlight.Empty>
            {search.isSearching ? 'Searching …' : search.error === null ? 'No results' : null}
          </Spotlight.Empty>
        ) : (
          found
        )}
      </div>
      {hasFailed || isEmpty ? null : (
        <Spotlight.Footer className="palette-keys" aria-hidden="true">
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> Choose <Kbd>Enter</Kbd> Open <Kbd>Esc</Kbd> Close
        </Spotlight.Footer>
      )}
      {hasFailed ? (
        <Spotlight.Footer>
          <span role="alert">Items could not be searched: {messageOf(search.error)}</span>{' '}
          <Button size="compact-xs" variant="subtle" onClick={search.retry}>
            Retry
          </Button>{' '}
          <Button size="compact-xs" variant="subtle" onClick={closeSpotlight}>
            Close
          </Button>
        </Spotlight.Footer>
      ) : null}
    </>
  );
}

/** Enter opens the first entry, also when what the platform has found comes after the last key. */
function useFirstSelected(groups: readonly PaletteGroup[], isWanted: boolean): void {
  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join('\n');
  useLayoutEffect(() => {
    if (!isWanted) return;
    // The library marks the selected entry in the page, and nowhere else.
    const entries = document.querySelectorAll('.palette-list [data-action]');
    for (const [index, entry] of entries.entries()) {
      if (index === 0) entry.setAttribute('data-selected', 'true');
      else entry.removeAttribute('data-selected');
    }
  }, [shown, isWanted]);
}

function useOtherColours() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return {
    label: dark ? 'Use light colours' : 'Use dark colours',
    icon: dark ? <SunIcon /> : <MoonIcon />,
    change: () => setColorScheme(dark ? 'light' : 'dark'),
  };
}

/** Texts that distinguish items of the same name and code: first the items to which they refer, such as catalogs, otherwise ids. */
function useDistinctions(groups: readonly FoundGroup[]): (type: string, id: string) => string | undefined {
  const alike = groups.flatMap(({ type, items }) =>
    items.filter((item) => items.some((other) => isAlike(item, other))).map(({ id }) => ({ type, id })),
  );
  const found = useQueries({ queries: alike.map(({ type, id }) => itemQuery(type, id)) });
  return (type, id) => {
    const index = alike.findIndex((one) => one.type === type && one.id === id);
    if (index < 0) return undefined;
    const references = Object.values(found[index]?.data?.values ?? {}).flatMap((value) => referencesIn(value));
    return references[0]?.label ?? `#${id}`;
  };
}

type FoundItem = FoundGroup['items'][number];

function isAlike(item: FoundItem, other: FoundItem): boolean {
  return item.id !== other.id && item.label === other.label && item.code === other.code;
}
