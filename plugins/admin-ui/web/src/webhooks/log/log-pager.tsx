import { Group, Text } from '@mantine/core';
import { FirstIcon, LeftIcon, RightIcon } from '../../ui/icons';
import { PageStep } from '../../ui/page/page-steps';
import type { useLogPage } from './use-log-page';

export interface LogPagerProps {
  readonly control: ReturnType<typeof useLogPage>;
  readonly shown: number;
  readonly nextBefore: string | undefined;
}

/** How many rows are in sight, and the way to the others. */
export function LogPager({ control, shown, nextBefore }: LogPagerProps) {
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed">
        {shown.toLocaleString()} shown, the latest first
      </Text>
      <Group gap="xs" role="group" aria-label="Pages">
        <PageStep label="First page" open={control.before === undefined ? undefined : control.openFirst}>
          <FirstIcon size={16} />
        </PageStep>
        <PageStep label="Previous page" open={control.openPrevious}>
          <LeftIcon size={16} />
        </PageStep>
        <PageStep label="Next page" open={nextBefore === undefined ? undefined : () => control.openNext(nextBefore)}>
          <RightIcon size={16} />
        </PageStep>
      </Group>
    </Group>
  );
}
