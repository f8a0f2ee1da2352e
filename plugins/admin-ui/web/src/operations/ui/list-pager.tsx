import { Group, Text } from '@mantine/core';
import { pageSizes } from '../../ui/page-sizes';
import { PageSteps } from '../../ui/page-steps';
import type { PageTrail } from '../../ui/use-page-trail';

export interface ListPagerProps {
  readonly control: Omit<PageTrail, 'trail'> & {
    readonly state: { readonly limit: number; readonly after: string | undefined };
    change(part: { readonly limit: number }): void;
  };
  readonly nextCursor: string | undefined;
  /** What is on this page, such as `50 orders shown`. */
  readonly shown: string;
  readonly sizeLabel: string;
}

/** What a page of a list has, and the way to the other pages. */
export function ListPager({ control, nextCursor, shown, sizeLabel }: ListPagerProps) {
  const { state } = control;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed">
        {shown}
      </Text>
      <PageSteps
        sizeLabel={sizeLabel}
        sizes={pageSizes}
        size={state.limit}
        onSize={(limit) => control.change({ limit })}
        openFirst={state.after === undefined ? undefined : control.openFirst}
        openPrevious={control.openPrevious}
        openNext={nextCursor === undefined ? undefined : () => control.openNext(nextCursor)}
      />
    </Group>
  );
}
