import { Alert, Loader, Stack, Text } from '@mantine/core';
import type { PluginChange, PluginChangeAction, PluginChangePhase } from '@gantry/contracts';
import { CheckIcon, WarningIcon } from '../../ui/icons';
import { Timestamp } from '../../ui/time/timestamp';

/** Actions of a change, as the beginning of a sentence. */
export const actionNames: Readonly<Record<PluginChangeAction, string>> = {
  enable: 'Enabling',
  disable: 'Disabling',
  install: 'Installing',
  upgrade: 'Upgrading',
  uninstall: 'Uninstalling',
};

const sentences: Readonly<Record<Exclude<PluginChangePhase, 'failed'>, string>> = {
  waiting: 'The change is about to begin.',
  starting: 'A new host starts with the new plugins. The old one serves until it is ready.',
  draining: 'The new host is running. The old one finishes its open requests.',
  done: 'Done, without downtime.',
};

export interface ChangeProgressProps {
  readonly change: PluginChange;
  /** Whether another change that was asked for before is not over. */
  readonly isQueued: boolean;
  /** Display names of plugins by their ids. */
  readonly names: ReadonlyMap<string, string>;
  onDismiss(): void;
}

/** A change of the plugins, as it goes; once it is over, it can be put away. */
export function ChangeProgress({ change, isQueued, names, onDismiss }: ChangeProgressProps) {
  const { action, plugins, phase, step, since, error } = change;
  const named = plugins.map((id) => names.get(id) ?? id).join(', ');
  const title = `${actionNames[action]} ${named}`;
  if (phase === 'failed') {
    return (
      <Alert
        color="red"
        icon={<WarningIcon />}
        title={`${title} failed`}
        role="alert"
        mb="md"
        withCloseButton
        closeButtonLabel="Dismiss"
        onClose={onDismiss}
      >
        <Stack gap="xxs">
          <Text size="sm" className="long-text">
            {error?.message}
          </Text>
          <Text size="sm" className="long-text">
            <b>Remedy:</b> {error?.remedy}
          </Text>
          <Text size="sm">
            The plugins are unchanged. <Timestamp value={since} />
          </Text>
        </Stack>
      </Alert>
    );
  }
  const isOver = phase === 'done';
  return (
    <Alert
      color={isOver ? 'green' : 'harbour'}
      variant="light"
      icon={isOver ? <CheckIcon /> : <Loader size="xs" />}
      title={title}
      role="status"
      mb="md"
      withCloseButton={isOver}
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      <Text size="sm">
        {isQueued && phase === 'waiting' ? 'The change waits for another change.' : sentences[phase]}{' '}
        {isOver ? <Timestamp value={since} /> : null}
      </Text>
      {step === undefined ? null : <Text size="sm">Now: {step}</Text>}
    </Alert>
  );
}
