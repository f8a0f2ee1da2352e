import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { SavedView } from '../api/preference';
import { useFavourites, useSavedViews } from '../api/preferences';
import { typesQuery } from '../api/queries';
import { viewSearch } from '../content/list/views/views';
import { BookmarkIcon, StarIcon } from '../ui/icons';
import { Surface } from '../ui/surface';

/** The types and views that the reader keeps. */
export function Shortcuts() {
  const { data: types = [] } = useQuery(typesQuery);
  const favourites = useFavourites();
  const views = useSavedViews();
  const nameOf = (code: string): string | undefined => types.find(({ type }) => type === code)?.displayNamePlural;
  const pinned = (favourites.value?.types ?? []).filter((code) => nameOf(code) !== undefined);
  const saved = views.filter(({ type }) => nameOf(type) !== undefined);
  return (
    <Surface title="Favourites and saved views">
      {pinned.length === 0 && saved.length === 0 ? (
        <Text size="sm" c="dimmed">
          Mark a list with the star above it, or save its filters as a view: both appear here.
        </Text>
      ) : null}
      <ul className="home-list">
        {pinned.map((code) => (
          <li key={code}>
            <StarIcon size={16} />
            <Anchor component={Link} to={`/content/${code}`} inherit>
              {nameOf(code)}
            </Anchor>
          </li>
        ))}
        {saved.map(({ type, view }) => (
          <li key={`${type} ${view.id}`}>
            <BookmarkIcon size={16} />
            <Anchor component={Link} to={addressOf(type, view)} inherit>
              <bdi>{view.name}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed" className="home-note">
              {nameOf(type)}
            </Text>
          </li>
        ))}
      </ul>
    </Surface>
  );
}

function addressOf(type: string, view: SavedView): string {
  return `/content/${type}?${viewSearch(view)}`;
}
