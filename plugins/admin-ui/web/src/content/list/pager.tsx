import { Group } from '@mantine/core';
import type { Page } from '../../api/items';
import { PageSteps } from '../../ui/page-steps';
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
  const { state } = control;
  const cursor = stale ? undefined : page.nextCursor;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <ShownCount
        type={type}
        criteria={state.criteria}
        shown={page.items.length}
        all={state.after === undefined && page.nextCursor === undefined}
      />
      <PageSteps
        sizeLabel="Items per page"
        sizes={pageSizes}
        size={state.limit}
        onSize={(limit) => control.change({ limit })}
        openFirst={state.after === undefined ? undefined : control.openFirst}
        openPrevious={control.openPrevious}
        openNext={cursor === undefined ? undefined : () => control.openNext(cursor)}
        onExpectNext={() => (cursor === undefined ? undefined : control.expectNext(cursor))}
      />
    </Group>
  );
}
