import { Anchor, Button, List, Text, Title, UnstyledButton } from '@mantine/core';
import type { ItemReferences } from '@gantry/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { fetchReferences, fetchReferring, type Reference } from '../../api/items';
import { numberText } from '../../api/json';
import { cappedCount } from '../../ui/capped-count';
import { ChevronIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';

interface UsedByProps {
  readonly type: string;
  readonly id: string;
}

/** The items that refer to an item, looked for when somebody asks. */
export function UsedBy({ type, id }: UsedByProps) {
  const [isOpen, setOpen] = useState(false);
  const part = useId();
  return (
    <div className="surface panel used-by">
      <Title order={2}>
        <UnstyledButton
          className="fold"
          aria-expanded={isOpen}
          aria-controls={isOpen ? part : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          Used by
          <ChevronIcon size={16} />
        </UnstyledButton>
      </Title>
      {isOpen ? (
        <div id={part}>
          <Referrers type={type} id={id} />
        </div>
      ) : null}
    </div>
  );
}

function Referrers({ type, id }: UsedByProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['items', type, 'used-by', id],
    queryFn: ({ signal }) => fetchReferences(type, id, signal),
    staleTime: 0,
  });
  if (error !== null) {
    return <ErrorState error={error} title="Not found out what refers to it" onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Text role="status">Looking for items that refer to it …</Text>;
  if (data.length === 0) return <Text role="status">No item refers to it.</Text>;
  return data.map((references) => (
    <FieldReferrers key={`${references.type}.${references.field}`} target={{ type, id }} references={references} />
  ));
}

/** The items of a type that refer to it through one field; the first ones until somebody asks for more. */
function FieldReferrers({ target, references }: { readonly target: UsedByProps; readonly references: ItemReferences }) {
  const { type, field, displayName, fieldDisplayName, isCapped } = references;
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
      <Text size="sm" fw={600} mt="xs">
        {displayName} ({fieldDisplayName}): {cappedCount(count, isCapped)}
      </Text>
      <List size="sm" className="used-by-items">
        {items.map(({ id, label }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/content/${type}/${id}`} underline="always" inherit>
              <bdi>{label.slice(0, 80)}</bdi>
            </Anchor>
          </List.Item>
        ))}
      </List>
      {more.error === null ? null : <ErrorState error={more.error} title="Not read" />}
      {hasMore ? (
        <Button variant="subtle" size="compact-sm" loading={more.isFetching} onClick={showMore}>
          Show more
        </Button>
      ) : null}
    </section>
  );
}
