import { AppShell, NavLink, ScrollArea, Text, TextInput } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NavLink as RouterNavLink, useMatch } from 'react-router-dom';
import { messageOf } from '../api/api-error';
import { useFavourites } from '../api/preferences';
import { typesQuery } from '../api/queries';
import { pageEntries } from '../plugin-ui/page-entries';
import { usePluginUis } from '../plugin-ui/plugin-uis';
import { SearchIcon, TableIcon } from '../ui/icons';
import { favouriteGroups } from './favourite-group';
import { groupByPlugin } from './group-by-plugin';
import type { NavigationEntry } from './navigation-entry';
import { sections } from './sections';

/** All that can be opened: the fixed sections, and every item type under the plugin that brings it. */
export function Navigation() {
  const types = useQuery(typesQuery);
  const favourites = useFavourites();
  const [filter, setFilter] = useState('');
  const shown = (types.data ?? []).filter((type) => matches(filter, type));
  const pages = pageEntries(usePluginUis()).filter((entry) => matches(filter, entry));
  const groups = [...favouriteGroups(favourites.value?.types ?? [], shown), ...groupByPlugin(shown, pages)];
  return (
    <>
      <AppShell.Section p="sm">
        <TextInput
          type="search"
          size="sm"
          aria-label="Filter navigation"
          placeholder="Filter"
          leftSection={<SearchIcon size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </AppShell.Section>
      <AppShell.Section grow component={ScrollArea} type="auto" viewportProps={{ tabIndex: -1 }}>
        <nav aria-label="Main" className="navigation">
          {sections
            .filter((entry) => matches(filter, entry))
            .map((entry) => (
              <EntryLink key={entry.to} entry={entry} />
            ))}
          {groups.map(({ plugin, label, types: members, pages: own = [] }) => (
            <div key={plugin} role="group" aria-label={label}>
              <Text size="xs" fw={700} c="dimmed" px="md" pt="md" pb={4} aria-hidden="true">
                {label}
              </Text>
              {members.map((type) => (
                <EntryLink
                  key={type.type}
                  entry={{ label: type.displayName, to: `/content/${type.type}`, icon: <TableIcon /> }}
                />
              ))}
              {own.map((entry) => (
                <EntryLink key={entry.to} entry={entry} />
              ))}
            </div>
          ))}
          <NavigationNote
            filter={filter}
            shown={shown.length + pages.length}
            failure={types.data === undefined ? types.error : null}
          />
        </nav>
      </AppShell.Section>
    </>
  );
}

function EntryLink({ entry }: { readonly entry: NavigationEntry }) {
  const alone = entry.alone ?? entry.to === '/';
  const active = useMatch({ path: entry.to, end: alone }) !== null;
  return (
    <NavLink
      component={RouterNavLink}
      to={entry.to}
      end={alone}
      label={entry.label}
      leftSection={entry.icon}
      active={active}
      py={6}
      px="md"
    />
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
