import { Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Page } from '../../api/items';
import { FirstIcon, LeftIcon, RightIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';
import { pageSizes, type ListControl } from './list-state';
import { ShownCount } from './shown-count';

export interface PagerProps {
  readonly control: ListControl;
  readonly page: Page;
  /** The page is the one before: its end is not where the next page begins. */
  readonly stale: boolean;
  readonly type: string;
}

/** How many items there are, and the way to the others. */
export function Pager({ control, page, stale, type }: PagerProps) {
  const { state, openPrevious } = control;
  const cursor = stale ? undefined : page.nextCursor;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <ShownCount type={type} criteria={state.criteria} shown={page.items.length} />
      <Group gap="xs" role="group" aria-label="Pages">
        <NativeSelect
          aria-label="Items per page"
          size="xs"
          data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(state.limit)}
          onChange={(event) => control.change({ limit: Number(event.currentTarget.value) })}
        />
        <Step label="First page" open={state.after === undefined ? undefined : control.openFirst}>
          <FirstIcon size={16} />
        </Step>
        <Step label="Previous page" open={openPrevious}>
          <LeftIcon size={16} />
        </Step>
        <Step
          label="Next page"
          open={cursor === undefined ? undefined : () => control.openNext(cursor)}
          onPointerEnter={() => (cursor === undefined ? undefined : control.expectNext(cursor))}
        >
          <RightIcon size={16} />
        </Step>
      </Group>
    </Group>
  );
}

interface StepProps {
  readonly label: string;
  /** Undefined where the way ends. */
  readonly open: (() => void) | undefined;
  readonly onPointerEnter?: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus where the way ends, which a disabled button would lose: whoever pages by keyboard goes on from here. */
function Step({ label, open, onPointerEnter, children }: StepProps) {
  const ends = open === undefined;
  return (
    <IconButton
      label={label}
      variant="default"
      size={30}
      data-disabled={ends || undefined}
      aria-disabled={ends}
      onClick={() => open?.()}
      {...(onPointerEnter === undefined ? {} : { onPointerEnter })}
    >
      {children}
    </IconButton>
  );
}
