import { Button, Group, Progress, Text } from '@mantine/core';
import { messageOf } from '../../../api/api-error';
import { Dialog } from '../../../ui/dialog';
import { ErrorState } from '../../../ui/states';
import type { ExportRun } from './use-export';

export interface ExportDialogProps {
  readonly run: Omit<ExportRun, 'begin'>;
  /** Noun for the count of exported entries; items unless given. */
  readonly noun?: string;
}

/** Shows how far an export is, and why it stopped. */
export function ExportDialog({ run: { count, failure, close }, noun = 'items' }: ExportDialogProps) {
  return (
    <Dialog opened={count !== undefined} onClose={close} title="Export" closeButtonProps={{ 'aria-label': 'Cancel' }}>
      <Text role="status">
        {count?.toLocaleString()} {noun} so far
      </Text>
      {failure === undefined ? (
        <Progress value={100} animated mt="sm" aria-label="Export is running" />
      ) : (
        <ErrorState error={failure} title={`The export failed: ${messageOf(failure)}`} />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {failure === undefined ? 'Cancel' : 'Close'}
        </Button>
      </Group>
    </Dialog>
  );
}
