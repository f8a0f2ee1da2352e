import './live.css';
import { Button, Group, Text } from '@mantine/core';
import { useForeignChanges } from '../../api/live/live-changes';

export interface NewerVersionProps {
  /** Type code. */
  readonly type: string;
  readonly id: string;
  /** When the history was read, in milliseconds. */
  readonly readAt: number;
  onLoad(): void;
}

/** Says over a history that somebody has changed the item; the versions stay where they are until it is read again. */
export function NewerVersion({ type, id, readAt, onLoad }: NewerVersionProps) {
  const changes = useForeignChanges(type, readAt);
  const isNews = readAt > 0 && [...changes.values()].some(({ change }) => String(change.id) === id);
  return (
    <div role="status" className="changed-meanwhile" hidden={!isNews}>
      {isNews ? (
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm">There is a newer version.</Text>
          <Button size="compact-sm" variant="default" className="keep-size" onClick={onLoad}>
            Load the new version
          </Button>
        </Group>
      ) : null}
    </div>
  );
}
