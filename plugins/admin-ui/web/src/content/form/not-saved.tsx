import { Alert, Button, Text } from '@mantine/core';
import { ApiError, messageOf } from '../../api/api-error';
import { PlusIcon, RefreshIcon, WarningIcon } from '../../ui/icons';

export interface NotSavedProps {
  readonly error: unknown;
  onRetry(): void;
  /** Offered when there is nothing any more that could be saved. */
  onCreateAnew(): void;
}

/** Says why an item was not saved, and that nothing is lost. */
export function NotSaved({ error, onRetry, onCreateAnew }: NotSavedProps) {
  const isGone = error instanceof ApiError && error.code === 'ITEM_NOT_FOUND';
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
      {isGone ? (
        <Button size="xs" variant="default" mt="sm" leftSection={<PlusIcon size={14} />} onClick={onCreateAnew}>
          Create it anew
        </Button>
      ) : (
        <Button size="xs" variant="default" mt="sm" leftSection={<RefreshIcon size={14} />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
