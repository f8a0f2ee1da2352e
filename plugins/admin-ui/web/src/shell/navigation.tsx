import { Text, TextInput } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type PointerEvent } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { messageOf } from '../api/api-error';
import { useFavourites } from '../api/preferences';
import { typesQuery } from '../api/queries';
import { loadList } from '../content/list/load-list';
import { pageEntries } from '../plugin-ui/page-entries';
import { usePluginUis } from '../plugin-ui/plugin-uis';
import { SearchIcon, TableIcon } from '../ui/icons';
import { QuickLink, targetOf, useFollowedLinks } from '../ui/quick-link';
import { groupByPlugin, type PluginGroup } from '../plugin-ui/group-by-plugin';
import type { NavigationEntry } from '../ui/navigation-entry';
import { sections } from './sections';

/** All that can be opened: the fixed sections, and every item type under the plugin that brings it. */
export function Navigation() {
  const types = useQuery(typesQuery);
  const favourites = useFavourites();
  const { pathname } = useLocation();
  const client = useQueryClient();
  const links = useRef<HTMLElement>(null);
  useFollowedLinks(links);
  const [filter, setFilter] = useState('');
  const shown = (types.data ?? []).filter((type) => matches(filter, type));
  const pages = pageEntries(usePluginUis()).filter((entry) => matches(filter, entry));
  const groups = [...favouriteGroups(favourites.value?.types ?? [], shown), ...groupByPlugin(shown, pages)];
  // The button is let go of a moment later, and only then the page opens.
  const loadEarly = ({ target, button }: PointerEvent): void => {
    const type = matchPath('/content/:type', (button === 0 ? targetOf(target) : undefined) ?? '')?.params.type;
    if (type !== undefined) loadList(client, type).catch(() => undefined);
  };
  return (
    <>
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
      <nav aria-label="Main" className="navigation" ref={links} onPointerDown={loadEarly}>
        {sections
          .filter((entry) => matches(filter, entry))
          .map((entry) => (
            <EntryLink key={entry.to} entry={entry} pathname={pathname} />
          ))}
        {groups.map(({ plugin, label, types: members, pages: own = [] }) => (
          <div key={plugin} role="group" aria-label={label}>
            <div className="navigation-group" aria-hidden="true">
              {label}
            </div>
            {members.map((type) => (
              <EntryLink
                key={type.type}
                entry={{ label: type.displayName, to: `/content/${type.type}`, icon: <TableIcon /> }}
                pathname={pathname}
              />
            ))}
            {own.map((entry) => (
              <EntryLink key={entry.to} entry={entry} pathname={pathname} />
            ))}
          </div>
        ))}
        <NavigationNote
          filter={filter}
          shown={shown.length + pages.length}
          failure={types.data === undefined ? types.error : null}
        />
      </nav>
    </>
  );
}

function EntryLink({ entry, pathname }: { readonly entry: NavigationEntry; readonly pathname: string }) {
  const alone = entry.alone ?? entry.to === '/';
  const active = pathname === entry.to || (!alone && pathname.startsWith(`${entry.to}/`));
  return (
    <QuickLink className="navigation-entry" to={entry.to} aria-current={active ? 'page' : undefined}>
      {entry.icon}
      {entry.label}
    </QuickLink>
  );
}

function NavigationNote({
  filter,
  shown,
  failure,
}: {
  readonly filter: string;
  readonly shown: number;
  readonly failure: unknown;
}) {
  const text = failure !== null ? messageOf(failure) : filter !== '' && shown === 0 ? 'Nothing matches.' : undefined;
  return text === undefined ? null : (
    <Text size="sm" c="dimmed" p="md" role="status">
      {text}
    </Text>
  );
}

function matches(filter: string, entry: Pick<NavigationEntry, 'label'> | ModelInfo): boolean {
  const wanted = filter.trim().toLocaleLowerCase();
  const text = 'label' in entry ? entry.label : `${entry.displayName} ${entry.type} ${entry.plugin}`;
  return text.toLocaleLowerCase().includes(wanted);
}

/** The types that the reader pinned, in the order of pinning; no group without one. Types whose plugin is gone are left out until it is back. */
function favouriteGroups(pinned: readonly string[], types: readonly ModelInfo[]): readonly PluginGroup[] {
  const found = pinned.flatMap((code) => types.filter(({ type }) => type === code));
  return found.length === 0 ? [] : [{ plugin: ' favourites', label: 'Favourites', types: found }];
}
