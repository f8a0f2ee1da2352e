import { Alert, Button, Text } from '@mantine/core';
import { ApiError, messageOf } from '../../api/api-error';
import { RefreshIcon, WarningIcon } from '../../ui/icons';

/** Says why an item was not saved, and that nothing is lost. */
export function NotSaved({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
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
        {messageOf(error)}
      </Text>
      {requestId === undefined ? null : (
        <Text size="xs" mt={4}>
          Request {requestId}
        </Text>
      )}
      <Button size="xs" variant="default" mt="sm" leftSection={<RefreshIcon size={14} />} onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}
