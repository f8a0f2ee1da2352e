import { Button, Loader, Text } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { useRef } from 'react';
import { rangeText } from '../../ui/text/range-text';
import { slowAfterMs, useLongerThan } from '../../ui/time/use-longer-than';
import type { Total } from './use-total';

export interface ShownCountProps {
  readonly type: string;
  /** How many items are before those in sight; undefined where that is not known. */
  readonly before: number | undefined;
  /** Items in sight. */
  readonly shown: number;
  readonly total: Total;
}

/** Which items are in sight, and of how many. */
export function ShownCount({ type, before, shown, total }: ShownCountProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const wait = useWait(type);
  const countAll = (): void => {
    // The button goes with the answer; what it answers stays.
    text.current?.focus();
    total.countAll();
  };
  return (
    <>
      {wait === 'none' ? null : <Loader size={14} />}
      <Text role="status" ref={text} tabIndex={-1} className="quiet-focus shown-count" inherit>
        {wait === 'none' ? (
          <>
            <b>{rangeText(before, shown)}</b>
            {total.text === undefined ? null : ` of ${total.text}`}
          </>
        ) : null}
        {wait === 'short' ? 'Loading …' : null}
        {wait === 'long' ? 'The platform is slow to answer. Still waiting …' : null}
      </Text>
      {total.isCapped || (total.error !== null && total.text === undefined) ? (
        <Button size="compact-sm" variant="subtle" loading={total.isCounting} onClick={countAll}>
          {total.error === null ? 'Count all' : 'Counting failed: retry'}
        </Button>
      ) : null}
    </>
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
