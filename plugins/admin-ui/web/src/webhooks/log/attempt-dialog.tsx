import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { stringify } from 'lossless-json';
import { useState, type ReactNode } from 'react';
import { Dialog } from '../../ui/dialog';
import { durationText } from '../../ui/text/duration-text';
import { ErrorState, LoadingState } from '../../ui/states';
import { Moment } from '../../ui/time/moment';
import { ResultBadge } from './result-badge';
import { changeQuery, type DeliveryAttempt, type SubscriptionPath } from '../webhook-api';

export interface AttemptDialogProps {
  readonly path: SubscriptionPath;
  /** Closed without. */
  readonly attempt: DeliveryAttempt | undefined;
  readonly isWebhook: boolean;
  /** The name of the item that a change is of. */
  nameOf(subject: string): string;
  onClose(): void;
}

/** Request and answer of an attempt. */
export function AttemptDialog({ path, attempt, isWebhook, nameOf, onClose }: AttemptDialogProps) {
  // While the dialog fades away, it still says what it was about.
  const [shown, setShown] = useState(attempt);
  if (attempt !== undefined && attempt !== shown) setShown(attempt);
  return (
    <Dialog
      opened={attempt !== undefined}
      onClose={onClose}
      size="xl"
      title={shown === undefined ? 'Attempt' : `Attempt ${shown.attempt} for ${nameOf(shown.subject)}`}
    >
      {shown === undefined ? null : (
        <Stack gap="md">
          <Group gap="xs">
            <ResultBadge attempt={shown} />
            <Text size="sm" component="div">
              <Moment value={shown.at} />, after {durationText(shown.durationMs)}
              {shown.status === null ? '' : `, status ${shown.status}`}, position {shown.position}
            </Text>
          </Group>
          {shown.error === null ? null : (
            <Text size="sm" className="long-text">
              {shown.error}
            </Text>
          )}
          {isWebhook ? (
            <Part title="Answer">
              {shown.answer ? (
                <Code block className="webhook-body" tabIndex={0}>
                  {shown.answer}
                </Code>
              ) : (
                <Text size="sm">{shown.status === null ? 'There was no answer.' : 'The answer was empty.'}</Text>
              )}
            </Part>
          ) : null}
          <Sent path={path} position={shown.position} isWebhook={isWebhook} />
        </Stack>
      )}
    </Dialog>
  );
}

interface SentProps {
  readonly path: SubscriptionPath;
  readonly position: string;
  readonly isWebhook: boolean;
}

/** It is made from the change feed, which may not have the change any more. */
function Sent({ path, position, isWebhook }: SentProps) {
  const sent = useQuery(changeQuery(path, position));
  return (
    <Part title={isWebhook ? 'Request' : 'Change'}>
      {isWebhook ? (
        <Text size="sm" c="dimmed">
          The request with the current settings of the webhook. Values of header fields that are secret or differ with
          each attempt are not shown.
        </Text>
      ) : null}
      {sent.error === null ? null : <ErrorState error={sent.error} title="The request could not be loaded" once />}
      {sent.isPending ? <LoadingState rows={4} /> : null}
      {sent.data === undefined ? null : (
        <Code block className="webhook-body" tabIndex={0}>
          {stringify(sent.data, undefined, 2)}
        </Code>
      )}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Stack gap="xxs">
        <Title order={3}>{title}</Title>
        {children}
      </Stack>
    </section>
  );
}
