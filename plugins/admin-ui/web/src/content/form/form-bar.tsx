import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

export interface FormBarProps {
  readonly isNew: boolean;
  /** Fields that were changed. */
  readonly changes: number;
  readonly saving: boolean;
  /** A file is on its way, without which nothing is saved. */
  readonly uploading: boolean;
  onReset(): void;
  /** Saves and begins with another item; not offered where there is no room for one. */
  readonly onSaveAndNew?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** After this time a save that waits is explained. */
const slowAfterMs = 4_000;

/** Saving and what else ends the work on a form; stays in sight at the end of the window. */
export function FormBar({ isNew, changes, saving, uploading, onReset, onSaveAndNew, onCancel }: FormBarProps) {
  const slow = useSlow(saving);
  const idle = isNew || changes === 0 ? '' : `${changes} ${changes === 1 ? 'field' : 'fields'} changed`;
  const nothingToSave = uploading || (!isNew && changes === 0);
  return (
    <Group className="form-bar" gap="sm" mt="lg">
      <Button type="submit" loading={saving} disabled={nothingToSave} aria-keyshortcuts="Control+S">
        {isNew ? 'Create' : 'Save'}
      </Button>
      {onSaveAndNew === undefined ? null : (
        <Button variant="default" onClick={onSaveAndNew} disabled={saving || nothingToSave}>
          {isNew ? 'Create and add another' : 'Save and add another'}
        </Button>
      )}
      {onCancel === undefined ? null : (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {changes > 0 ? (
        <Button variant="subtle" onClick={onReset} disabled={saving}>
          Discard changes
        </Button>
      ) : null}
      <Text size="sm" c="dimmed" role="status">
        {slow ? 'The platform is slow to answer. Still saving; you may go on typing.' : null}
        {uploading ? 'Can be saved when the image has been uploaded.' : null}
        {slow || uploading ? null : idle}
      </Text>
    </Group>
  );
}

function useSlow(saving: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!saving) return undefined;
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [saving]);
  return slow;
}
