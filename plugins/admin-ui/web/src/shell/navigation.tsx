import { Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { messageOf } from '../api/api-error';
import { useFavourites } from '../api/preferences';
import { typesQuery } from '../api/queries';
import { loadList } from '../content/list/load-list';
import { pageEntries } from '../plugin-ui/page-entries';
import { usePluginUis } from '../plugin-ui/plugin-uis';
import { ChevronIcon, SearchIcon } from '../ui/icons';
import { QuickLink, targetOf, useFollowedLinks } from '../ui/quick-link';
import type { NavigationEntry } from '../ui/navigation-entry';
import { navigationOf, type NavigationGroup } from './navigation-sections';

/** All that can be opened: content and pages by plugin, operations, and the system. */
export function Navigation() {
  const types = useQuery(typesQuery);
  const favourites = useFavourites();
  const { pathname } = useLocation();
  const client = useQueryClient();
  const links = useRef<HTMLElement>(null);
  useFollowedLinks(links);
  const [filter, setFilter] = useState('');
  const pages = pageEntries(usePluginUis(), types.data);
  const { home, sections, isEmpty } = navigationOf({
    types: types.data ?? [],
    pages,
    favourites: favourites.value?.types ?? [],
    filter,
  });
  const isKnown = types.data !== undefined;
  useEffect(() => {
    if (isKnown && links.current !== null) scrollToCurrent(links.current);
  }, [pathname, isKnown]);
  // The button is let go of a moment later, and only then the page opens.
  const loadEarly = ({ target, button }: PointerEvent): void => {
    const type = matchPath('/content/:type', (button === 0 ? targetOf(target) : undefined) ?? '')?.params.type;
    if (type !== undefined) loadList(client, type).catch(() => undefined);
  };
  return (
    <>
      <search>
        <TextInput
          m="sm"
          type="search"
          size="sm"
          aria-label="Filter navigation"
          placeholder="Filter"
          leftSection={<SearchIcon size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </search>
      <nav aria-label="Main" className="navigation" ref={links} onPointerDown={loadEarly}>
        {home.map((entry) => (
          <EntryLink key={entry.to} entry={entry} pathname={pathname} />
        ))}
        {sections.map(({ label, groups }) => (
          <Section key={label} label={label}>
            {groups.map((group) => (
              <Group key={group.key} group={group} pathname={pathname} isFiltered={filter.trim() !== ''} />
            ))}
          </Section>
        ))}
        <NavigationNote
          failure={types.data === undefined ? types.error : null}
          isEmpty={filter.trim() !== '' && isEmpty}
        />
      </nav>
    </>
  );
}

/** Not by `scrollIntoView`: in some versions of Chromium the next Tab then goes on from the entry, past the skip link. */
function scrollToCurrent(links: HTMLElement): void {
  const entry = links.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (entry === undefined) return;
  const shown = links.getBoundingClientRect();
  links.scrollTop += Math.min(0, entry.top - shown.top) + Math.max(0, entry.bottom - shown.bottom);
}

function Section({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const heading = useId();
  return (
    <div role="group" aria-labelledby={heading}>
      <div id={heading} className="navigation-section">
        {label}
      </div>
      {children}
    </div>
  );
}

/** More entries than these are collapsed until somebody expands them. */
const expandedMax = 20;

interface GroupProps {
  readonly group: NavigationGroup;
  readonly pathname: string;
  readonly isFiltered: boolean;
}

/** Entries under a name, which collapses them; it stays as it was left. The group of the page that is open is always expanded. */
function Group({ group: { key, label, isCollapsed = false, entries }, pathname, isFiltered }: GroupProps) {
  const [expanded, setExpanded] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: 'gantry.navigation',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const list = useId();
  if (label === undefined) {
    return entries.map((entry) => <EntryLink key={entry.to} entry={entry} pathname={pathname} />);
  }
  const chosen = expanded[key] ?? (!isCollapsed && entries.length <= expandedMax);
  const shown = chosen || isFiltered || entries.some((entry) => isCurrent(entry, pathname));
  return (
    <div role="group" aria-label={label}>
      {isFiltered ? (
        // All that matches is shown, and the first match is the next to get the focus.
        <div className="navigation-group">{label}</div>
      ) : (
        <button
          type="button"
          className="navigation-group"
          aria-expanded={shown}
          aria-controls={list}
          onClick={() => setExpanded({ ...expanded, [key]: !shown })}
        >
          {label}
          <ChevronIcon size={12} />
        </button>
      )}
      <div id={list} hidden={!shown}>
        {shown ? entries.map((entry) => <EntryLink key={entry.to} entry={entry} pathname={pathname} />) : null}
      </div>
    </div>
  );
}

function EntryLink({ entry, pathname }: { readonly entry: NavigationEntry; readonly pathname: string }) {
  return (
    <QuickLink
      className="navigation-entry"
      to={entry.to}
      aria-current={isCurrent(entry, pathname) ? 'page' : undefined}
    >
      {entry.icon}
      {entry.label}
    </QuickLink>
  );
}

function isCurrent({ to, alone = to === '/', isRepeated = false }: NavigationEntry, pathname: string): boolean {
  if (isRepeated) return false;
  return pathname === to || (!alone && pathname.startsWith(`${to}/`));
}

function NavigationNote({ failure, isEmpty }: { readonly failure: unknown; readonly isEmpty: boolean }) {
  const text = failure !== null ? messageOf(failure) : isEmpty ? 'No results' : undefined;
  return text === undefined ? null : (
    <Text size="sm" c="dimmed" p="md" role="status">
      {text}
    </Text>
  );
}
