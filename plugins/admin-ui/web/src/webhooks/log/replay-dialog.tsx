import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Dialog } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { useControl } from '../use-control';
import { replay, type ReplayFrom, type SubscriptionPath } from '../webhook-api';

export interface ReplayDialogProps {
  readonly path: SubscriptionPath;
  readonly opened: boolean;
  onClose(): void;
}

/** Delivers again what changed since a time, or behind a position. */
export function ReplayDialog({ path, opened, onClose }: ReplayDialogProps) {
  const [kind, setKind] = useState<'time' | 'position'>('time');
  const [time, setTime] = useState('');
  const [position, setPosition] = useState('');
  const [problem, setProblem] = useState<string>();
  const control = useControl(
    (from: ReplayFrom) => replay(path, from),
    () => 'The replay has begun',
    onClose,
  );
  const close = (): void => {
    control.reset();
    setProblem(undefined);
    onClose();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const from = kind === 'time' ? timeOf(time) : position.trim();
    if (from === undefined || from === '') {
      setProblem(kind === 'time' ? 'Enter a date and a time.' : 'Enter a position, such as 1.5012.88.');
      return;
    }
    setProblem(undefined);
    control.run(kind === 'time' ? { from } : { after: from });
  };
  return (
    <Dialog opened={opened} onClose={close} title="Replay changes">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Failure error={control.error} />
          <Text size="sm">
            Changes that were delivered before are delivered again, with the same webhook-id. Waiting changes are
            delivered in their order.
          </Text>
          <Radio.Group
            label="Start"
            value={kind}
            onChange={(value) => {
              setKind(value === 'position' ? 'position' : 'time');
              setProblem(undefined);
            }}
          >
            <Group mt="xs">
              <Radio value="time" label="Since a time" />
              <Radio value="position" label="After a position" />
            </Group>
          </Radio.Group>
          {kind === 'time' ? (
            <TextInput
              type="datetime-local"
              label="Time"
              description="In your time zone"
              value={time}
              error={problem}
              onChange={(event) => setTime(event.currentTarget.value)}
            />
          ) : (
            <TextInput
              label="Position"
              description="Position in the change feed, as shown for attempts and in the REST interface"
              placeholder="1.5012.88"
              value={position}
              error={problem}
              onChange={(event) => setPosition(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={control.isPending}>
              Replay
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** In ISO 8601; undefined for what is no time. */
function timeOf(local: string): string | undefined {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
