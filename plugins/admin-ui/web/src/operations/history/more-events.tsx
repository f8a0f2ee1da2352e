import { Alert, Button, Group, Text } from '@mantine/core';
import { InfoIcon } from '../../ui/icons';
import type { History } from '../api/workflows';

export interface MoreEventsProps {
  readonly history: History;
  /** More events are on their way. */
  readonly reading: boolean;
  onMore(): void;
}

/** Says that a run has more events than the page has read, and reads more. */
export function MoreEvents({ history: { events, total }, reading, onMore }: MoreEventsProps) {
  return (
    <Alert color="blue" variant="light" icon={<InfoIcon />} mb="md" title="A long history" role="status">
      <Group gap="sm">
        <Text size="sm">
          The first {events.length} of {total} events are shown. What has no end among them may have ended later.
        </Text>
        <Button size="xs" variant="default" loading={reading} onClick={onMore}>
          Show more events
        </Button>
      </Group>
    </Alert>
  );
}
