import { Alert, Button, Text } from '@mantine/core';
import { ApiError, isItemGone, messageOf } from '../../api/api-error';
import { PlusIcon, RefreshIcon, WarningIcon } from '../../ui/icons';

export interface NotSavedProps {
  readonly error: unknown;
  onRetry(): void;
  /** Offered when there is nothing any more that could be saved. */
  onCreateAnew(): void;
}

/** Says why an item was not saved, and that nothing is lost. */
export function NotSaved({ error, onRetry, onCreateAnew }: NotSavedProps) {
  const isGone = isItemGone(error);
  const [way, Icon, go] = isGone
    ? (['Create it anew', PlusIcon, onCreateAnew] as const)
    : (['Try again', RefreshIcon, onRetry] as const);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<WarningIcon />}
      title="Not saved. What you typed is still here."
      role="alert"
    >
      <Text size="sm" className="long-text">
        {isGone ? 'Somebody has deleted the item.' : messageOf(error)}
      </Text>
      {requestId === undefined ? null : (
        <Text size="xs" mt={4}>
          Request {requestId}
        </Text>
      )}
      <Button size="xs" variant="default" mt="sm" leftSection={<Icon size={14} />} onClick={go}>
        {way}
      </Button>
    </Alert>
  );
}
