import { Alert, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Dialog } from '../ui/dialog';
import { durationText } from '../ui/text/duration-text';
import { Failure } from '../ui/failure';
import { useControl } from './use-control';
import { sendTest, type WebhookTest } from './webhook-api';

export interface TestDialogProps {
  readonly id: string;
  readonly opened: boolean;
  onClose(): void;
}

/** Sends a test event as soon as it is opened, and shows the answer. */
export function TestDialog({ id, opened, onClose }: TestDialogProps) {
  const control = useControl(() => sendTest(id));
  const { run } = control;
  useEffect(() => {
    if (opened) run(undefined);
    // Only opening it sends one.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [opened]);
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title="Test delivery">
      <Stack>
        <Failure error={control.error} />
        {control.isPending ? (
          <Group role="status">
            <Loader size="sm" />
            <Text size="sm">The platform sends an event of the type gantry.webhook.test …</Text>
          </Group>
        ) : null}
        {control.data === undefined || control.isPending ? null : <Result test={control.data} />}
        <Group justify="flex-end">
          <Button variant="default" loading={control.isPending} onClick={() => run(undefined)}>
            Send another event
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Result({ test: { delivered, status, durationMs, error, answer, webhookId } }: { readonly test: WebhookTest }) {
  return (
    <Alert
      color={delivered ? 'green' : 'red'}
      role="status"
      title={delivered ? 'The receiver accepted the event' : 'The receiver did not accept the event'}
    >
      <Stack gap="xs">
        <Text size="sm" className="long-text">
          {[status === null ? undefined : `Status ${status}`, `after ${durationText(durationMs)}`]
            .filter(Boolean)
            .join(' ')}
          {error === null || error === `Status ${status}.` ? '' : `. ${error}`}
        </Text>
        <Text size="sm" className="long-text">
          webhook-id {webhookId}
        </Text>
        {answer ? (
          <Code block className="webhook-body" tabIndex={0}>
            {answer}
          </Code>
        ) : (
          <Text size="sm">{status === null ? 'There was no answer.' : 'The answer was empty.'}</Text>
        )}
      </Stack>
    </Alert>
  );
}
