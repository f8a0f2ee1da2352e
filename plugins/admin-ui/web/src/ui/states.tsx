import { Alert, Button, Center, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, isUnavailable, messageOf } from '../api/api-error';
import { InboxIcon, RefreshIcon, WarningIcon } from './icons';
import { slowAfterMs, useLongerThan } from './time/use-longer-than';

/** Something is on its way; says so when it takes long. */
export function LoadingState({ rows = 0 }: { readonly rows?: number }) {
  const slow = useLongerThan(slowAfterMs, true);
  return (
    <div role="status" aria-label="Loading">
      {rows > 0 ? (
        <Stack gap="xs">
          {Array.from({ length: rows }, (_, index) => (
            <Skeleton key={index} height={32} />
          ))}
        </Stack>
      ) : (
        <Center p="xl">
          <Loader />
        </Center>
      )}
      {slow ? (
        <Text c="dimmed" ta="center" mt="sm">
          The platform is slow to answer. Still waiting …
        </Text>
      ) : null}
    </div>
  );
}

/** An empty list, with the reason and the next step. */
export function EmptyState({
  title,
  children,
  action,
  icon,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={520} miw={0} ta="center" className="page-title">
        <span className="empty-icon">{icon ?? <InboxIcon size={40} />}</span>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}

/** A failure: what happened, what it means, and a way to try again. */
export function ErrorState({
  error,
  title,
  once = false,
  onRetry,
}: {
  readonly error: unknown;
  readonly title: string;
  /** It was an action, which nothing does again by itself. */
  readonly once?: boolean | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<WarningIcon />} title={title} role="alert" my="sm">
      <Text size="sm" className="long-text">
        {messageOf(error)}
      </Text>
      {isUnavailable(error) && !once ? <Text size="sm">Trying again …</Text> : null}
      {requestId === undefined ? null : (
        <Text size="xs" mt="xxs">
          Request {requestId}
        </Text>
      )}
      {onRetry === undefined ? null : (
        <Group mt="sm">
          <Button size="xs" variant="default" leftSection={<RefreshIcon size={14} />} onClick={onRetry}>
            Retry
          </Button>
        </Group>
      )}
    </Alert>
  );
}
