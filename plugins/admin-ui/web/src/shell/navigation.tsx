import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, type PointerEvent, type ReactNode } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { messageOf } from '../api/api-error';
import { useFavourites } from '../api/platform/preferences';
import { typesQuery } from '../api/queries';
import { loadList } from '../content/list/load-list';
import { usePageEntries } from '../plugin-ui/page/page-entries';
import { ChevronIcon, LeftIcon } from '../ui/icons';
import { QuickLink, targetOf, useFollowedLinks } from '../ui/page/quick-link';
import type { NavigationEntry } from '../ui/page/navigation-entry';
import { home, navigationOf, settings, settingsEntry, type NavigationGroup } from './navigation-sections';

/** Content and operations, or on a page of the settings these. */
export function Navigation() {
  const { pathname } = useLocation();
  const client = useQueryClient();
  const links = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useFollowedLinks(links);
  const { data: types, error } = useQuery(typesQuery);
  const isKnown = types !== undefined;
  const isInSettings = settings.length > 1 && settings.some((entry) => isCurrent(entry, pathname));
  useEffect(() => {
    if (isKnown && list.current !== null) scrollToCurrent(list.current);
  }, [pathname, isKnown]);
  // The button is let go of a moment later, and only then the page opens.
  const loadEarly = ({ target, button }: PointerEvent): void => {
    const type = matchPath('/content/:type', (button === 0 ? targetOf(target) : undefined) ?? '')?.params.type;
    if (type !== undefined) loadList(client, type).catch(() => undefined);
  };
  const shownHome = isInSettings ? { ...home, icon: <LeftIcon /> } : home;
  return (
    <nav aria-label="Main" className="navigation" ref={links} onPointerDown={loadEarly}>
      <div className="navigation-list" ref={list}>
        <EntryLink entry={shownHome} pathname={pathname} />
        {isInSettings ? (
          <Group group={{ key: ' settings', label: 'Settings', entries: settings }} pathname={pathname} />
        ) : (
          <ContentGroups pathname={pathname} />
        )}
        {isKnown || error === null ? null : (
          <p className="navigation-note" role="status">
            {messageOf(error)}
          </p>
        )}
      </div>
      {isInSettings || settingsEntry === undefined ? null : <EntryLink entry={settingsEntry} pathname={pathname} />}
    </nav>
  );
}

function ContentGroups({ pathname }: { readonly pathname: string }): ReactNode {
  const { data: types = [] } = useQuery(typesQuery);
  const favourites = useFavourites();
  const pages = usePageEntries(types);
  const groups = navigationOf({ types, pages, favourites: favourites.value?.types ?? [] });
  return groups.map((group) => <Group key={group.key} group={group} pathname={pathname} />);
}

/** Not by `scrollIntoView`: in some versions of Chromium the next Tab then goes on from the entry, past the skip link. */
function scrollToCurrent(links: HTMLElement): void {
  const entry = links.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (entry === undefined) return;
  const shown = links.getBoundingClientRect();
  links.scrollTop += Math.min(0, entry.top - shown.top) + Math.max(0, entry.bottom - shown.bottom);
}

/** More entries than these are collapsed until somebody expands them. */
const expandedMax = 20;

interface GroupProps {
  readonly group: NavigationGroup;
  readonly pathname: string;
}

/** Entries under a name, which collapses them; it stays as it was left. The group of the page that is open is always expanded. */
function Group({ group: { key, label, isCollapsed = false, entries }, pathname }: GroupProps) {
  const [expanded, setExpanded] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: 'gantry.navigation',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const list = useId();
  const isAlone = entries.length === 1 && !isCollapsed;
  const chosen = expanded[key] ?? (!isCollapsed && entries.length <= expandedMax);
  const shown = isAlone || chosen || entries.some((entry) => isCurrent(entry, pathname));
  return (
    <div role="group" aria-label={label}>
      {isAlone ? null : (
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
      <span className="clipped" title={entry.label.length > 24 ? entry.label : undefined}>
        {entry.label}
      </span>
    </QuickLink>
  );
}

function isCurrent({ to, alone = to === '/', isRepeated = false }: NavigationEntry, pathname: string): boolean {
  if (isRepeated) return false;
  return pathname === to || (!alone && pathname.startsWith(`${to}/`));
}
