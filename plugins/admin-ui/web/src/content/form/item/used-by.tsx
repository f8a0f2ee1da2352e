import { Anchor, Button, Text } from '@mantine/core';
import type { ItemReferences } from '@gantry/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { fetchReferring, type Reference } from '../../../api/items';
import { numberText } from '../../../api/json';
import { referencesQuery, typesQuery } from '../../../api/queries';
import { cappedCount } from '../../../ui/text/capped-count';
import { TypeIcon } from '../../../ui/icons';
import { ErrorState } from '../../../ui/states';
import { Surface } from '../../../ui/surface';

interface UsedByProps {
  readonly type: string;
  readonly id: string;
}

/** The items that refer to an item. */
export function UsedBy(target: UsedByProps) {
  return (
    <Surface title="Used by" className="used-by">
      <Referrers {...target} />
    </Surface>
  );
}

function Referrers({ type, id }: UsedByProps) {
  const { data, error, refetch } = useQuery(referencesQuery(type, id));
  if (error !== null) {
    return (
      <ErrorState
        error={error}
        title="The items that refer to this item could not be loaded"
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined || data.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {data === undefined ? 'Looking for items that refer to it …' : 'No item refers to it.'}
      </Text>
    );
  }
  return data.map((references) => (
    <FieldReferrers key={`${references.type}.${references.field}`} target={{ type, id }} references={references} />
  ));
}

/** The items of a type that refer to it through one field; the first ones until somebody asks for more. */
function FieldReferrers({ target, references }: { readonly target: UsedByProps; readonly references: ItemReferences }) {
  const { type, field, displayName, fieldDisplayName, isCapped } = references;
  const { data: types = [] } = useQuery(typesQuery);
  const icon = types.find((one) => one.type === type)?.icon;
  const count = Number(numberText(references.count) ?? 0);
  const [isLong, setLong] = useState(false);
  const more = useInfiniteQuery({
    queryKey: ['items', target.type, 'used-by', target.id, type, field],
    queryFn: ({ pageParam, signal }) =>
      fetchReferring(target.type, target.id, { field: `${type}.${field}`, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isLong,
  });
  const items: readonly Reference[] = more.data?.pages.flatMap((page) => page.items) ?? references.items;
  const hasMore = more.data === undefined ? isCapped || count > items.length : more.hasNextPage;
  const showMore = (): void => (isLong ? void more.fetchNextPage() : setLong(true));
  return (
    <section aria-label={`${displayName}, ${fieldDisplayName}`}>
      <Text size="sm" c="dimmed">
        {displayName} ({fieldDisplayName}): {cappedCount(count, isCapped)}
      </Text>
      <ul className="used-by-items">
        {items.map(({ id, label }) => (
          <li key={id}>
            <TypeIcon path={icon} size={16} />
            <Anchor component={Link} to={`/content/${type}/${id}`} c="inherit" inherit>
              <bdi>{label.slice(0, 80)}</bdi>
            </Anchor>
          </li>
        ))}
      </ul>
      {more.error === null ? null : <ErrorState error={more.error} title="More items could not be loaded" />}
      {hasMore ? (
        <Button variant="subtle" size="compact-sm" loading={more.isFetching} onClick={showMore}>
          Show more
        </Button>
      ) : null}
    </section>
  );
}
