import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listItems, type ListRequest, type Page } from '../../api/items';
import { FirstIcon, LeftIcon, RightIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';
import { pageSizes, type ListControl } from './list-state';

export interface PagerProps {
  readonly control: ListControl;
  readonly page: Page;
  readonly type: string;
}

/** How many items there are, and the way to the others. */
export function Pager({ control, page, type }: PagerProps) {
  const { state, openPrevious } = control;
  const cursor = page.nextCursor;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Total type={type} request={{ criteria: state.criteria, limit: 1, total: true }} shown={page.items.length} />
      <Group gap="xs" role="group" aria-label="Pages">
        <NativeSelect
          aria-label="Items per page"
          size="xs"
          data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(state.limit)}
          onChange={(event) => control.change({ limit: Number(event.currentTarget.value) })}
        />
        <IconButton
          label="First page"
          variant="default"
          size={30}
          disabled={state.after === undefined}
          onClick={control.openFirst}
        >
          <FirstIcon size={16} />
        </IconButton>
        <IconButton
          label="Previous page"
          variant="default"
          size={30}
          disabled={openPrevious === undefined}
          onClick={() => openPrevious?.()}
        >
          <LeftIcon size={16} />
        </IconButton>
        <IconButton
          label="Next page"
          variant="default"
          size={30}
          disabled={cursor === undefined}
          onClick={() => (cursor === undefined ? undefined : control.openNext(cursor))}
          onPointerEnter={() => (cursor === undefined ? undefined : control.expectNext(cursor))}
        >
          <RightIcon size={16} />
        </IconButton>
      </Group>
    </Group>
  );
}

/** Counting a large list takes the database long, so it is done on request. */
function Total({
  type,
  request,
  shown,
}: {
  readonly type: string;
  readonly request: ListRequest;
  readonly shown: number;
}) {
  const [wanted, setWanted] = useState(false);
  const client = useQueryClient();
  const key = ['items', type, 'total', request.criteria];
  const total = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => listItems(type, request, signal),
    enabled: wanted,
    refetchInterval: false,
  });
  const count = total.data?.total;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {shown} shown{count === undefined ? '' : ` of ${Number(count).toLocaleString()}`}
      </Text>
      {count === undefined ? (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={total.isFetching}
          onClick={() => (wanted ? void client.invalidateQueries({ queryKey: key }) : setWanted(true))}
        >
          {total.error === null ? 'Count all' : 'Counting failed: try again'}
        </Button>
      ) : null}
    </Group>
  );
}
