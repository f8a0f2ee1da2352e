import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { WarningIcon } from '../../ui/icons';
import { overviewQuery } from '../api/queries';
import type { Live } from '../live/use-live';

/** Finding them costs Temporal some twenty calls. */
const refreshMs = 30_000;

/** Activities that keep failing in many workflows, such as mail; nothing where that cannot be known. */
export function FailingActivities({ live }: { readonly live: Live }) {
  const overview = useQuery({ ...overviewQuery, refetchInterval: live.every(refreshMs) });
  return (overview.data?.problems ?? []).map((problem) => (
    <Alert
      key={problem}
      color="yellow"
      icon={<WarningIcon />}
      title="Workflows that cannot continue"
      role="status"
      my="sm"
    >
      <Text size="sm" className="long-text">
        {problem}
      </Text>
    </Alert>
  ));
}
