import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { recentItemsQuery, typesQuery } from '../api/queries';
import { TypeIcon } from '../ui/icons';
import { ErrorState } from '../ui/states';
import { RecentTime } from '../ui/relative-time';
import { Surface } from '../ui/surface';

/** The items that were created or changed last, by whomever. */
export function RecentItems() {
  const { data: types = [] } = useQuery(typesQuery);
  const recent = useQuery(recentItemsQuery);
  if (recent.data?.length === 0 || recent.isPending) return null;
  return (
    <Surface title="Recently changed">
      {recent.error === null ? null : (
        <ErrorState error={recent.error} title="The items could not be loaded" onRetry={() => void recent.refetch()} />
      )}
      <ul className="home-list">
        {recent.data?.map(({ type, id, label, updatedAt, isNew }) => {
          const known = types.find((one) => one.type === type);
          return (
            <li key={`${type} ${id}`}>
              <TypeIcon path={known?.icon} size={16} />
              <Anchor component={Link} to={`/content/${type}/${id}`} inherit>
                <bdi>{label}</bdi>
              </Anchor>
              <Text size="sm" c="dimmed" className="home-note">
                {known?.displayName ?? type}
              </Text>
              <Text size="sm" c="dimmed" className="home-time">
                {isNew ? 'created ' : ''}
                <RecentTime value={updatedAt} now={recent.dataUpdatedAt} />
              </Text>
            </li>
          );
        })}
      </ul>
    </Surface>
  );
}
