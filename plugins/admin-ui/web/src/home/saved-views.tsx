import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { SavedView } from '../api/platform/preference';
import { useSavedViews } from '../api/platform/preferences';
import { typesQuery } from '../api/queries';
import { viewSearch } from '../content/list/views/views';
import { BookmarkIcon } from '../ui/icons';
import { Surface } from '../ui/surface';

/** The views that the reader keeps; favourites are in the navigation. */
export function SavedViews() {
  const { data: types = [] } = useQuery(typesQuery);
  const nameOf = (code: string): string | undefined => types.find(({ type }) => type === code)?.displayNamePlural;
  const saved = useSavedViews().filter(({ type }) => nameOf(type) !== undefined);
  if (saved.length === 0) return null;
  return (
    <Surface title="Saved views">
      <ul className="home-list">
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
