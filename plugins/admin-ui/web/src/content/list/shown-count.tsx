import { Button, Group, Loader, Text } from '@mantine/core';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listItems, type ListFilter } from '../../api/items';
import { slowAfterMs, useLongerThan } from '../../ui/use-longer-than';

export interface ShownCountProps {
  readonly type: string;
  readonly filter: ListFilter;
  /** Items in sight. */
  readonly shown: number;
  /** There are no others. */
  readonly all: boolean;
}

/** How many items are in sight and, on request, how many there are: counting a large list takes the database long. */
export function ShownCount({ type, filter, shown, all }: ShownCountProps) {
  const [wanted, setWanted] = useState(false);
  const client = useQueryClient();
  const text = useRef<HTMLParagraphElement>(null);
  const wait = useWait(type);
  const key = ['items', type, 'total', filter];
  const total = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => listItems(type, { ...filter, limit: 1, total: true }, signal),
    enabled: wanted,
    refetchInterval: false,
  });
  const count = total.data?.total;
  const countAll = (): void => {
    // The button goes with the answer; what it answers stays.
    text.current?.focus();
    if (wanted) void client.invalidateQueries({ queryKey: key });
    else setWanted(true);
  };
  return (
    <Group gap="xs">
      {wait === 'none' ? null : <Loader size={14} />}
      <Text size="sm" c="dimmed" role="status" ref={text} tabIndex={-1} className="quiet-focus">
        {wait === 'none' ? `${shown} shown${count === undefined ? '' : ` of ${Number(count).toLocaleString()}`}` : null}
        {wait === 'short' ? 'Loading …' : null}
        {wait === 'long' ? 'The platform is slow to answer. Still waiting …' : null}
      </Text>
      {count === undefined && !all ? (
        <Button size="compact-xs" variant="subtle" loading={total.isFetching} onClick={countAll}>
          {total.error === null ? 'Count all' : 'Counting failed: try again'}
        </Button>
      ) : null}
    </Group>
  );
}

/** In milliseconds: what comes sooner needs no word. */
const quietMs = 250;

/** How long the items that the page shows next have been awaited. */
function useWait(type: string): 'none' | 'short' | 'long' {
  const waits = useIsFetching({ queryKey: ['items', type, 'list'], type: 'active' }) > 0;
  const short = useLongerThan(quietMs, waits);
  const long = useLongerThan(slowAfterMs, waits);
  return long ? 'long' : short ? 'short' : 'none';
}
