import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import { softDisabledProps } from '../../ui/soft-disabled-props';
import { slowAfterMs, useLongerThan } from '../../ui/use-longer-than';

export interface FormBarProps {
  readonly isNew: boolean;
  /** Fields that were changed. */
  readonly changes: number;
  readonly saving: boolean;
  /** A file is on its way, without which nothing is saved. */
  readonly uploading: boolean;
  readonly nothingToSave: boolean;
  onReset(): void;
  /** Saves and begins with another item; not offered where there is no room for one. */
  readonly onSaveAndNew?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** Saving and what else ends the work on a form; stays in sight at the end of the window. */
export function FormBar(props: FormBarProps) {
  const { isNew, changes, saving, uploading, nothingToSave, onReset, onSaveAndNew, onCancel } = props;
  const slow = useLongerThan(slowAfterMs, saving);
  const save = useRef<HTMLButtonElement>(null);
  useKeptFocus(save, saving);
  const idle = isNew || changes === 0 ? '' : `${changes} ${changes === 1 ? 'field' : 'fields'} changed`;
  return (
    <Group className="form-bar" gap="sm" mt="lg">
      <Button
        ref={save}
        type="submit"
        loading={saving}
        {...softDisabledProps(nothingToSave)}
        aria-keyshortcuts="Control+S"
      >
        {isNew ? 'Create' : 'Save'}
      </Button>
      {onSaveAndNew === undefined ? null : (
        <Button
          variant="default"
          onClick={nothingToSave || saving ? undefined : onSaveAndNew}
          {...softDisabledProps(saving || nothingToSave)}
        >
          {isNew ? 'Create and add another' : 'Save and add another'}
        </Button>
      )}
      {onCancel === undefined ? null : (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {changes > 0 ? (
        <Button
          variant="subtle"
          disabled={saving}
          onClick={() => {
            onReset();
            // This button goes with the changes.
            save.current?.focus();
          }}
        >
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

/** While it saves, the button is disabled; when the focus was lost with that, it comes back. */
function useKeptFocus(button: RefObject<HTMLButtonElement | null>, saving: boolean): void {
  const saved = useRef(false);
  useEffect(() => {
    // To the page as a whole, a dialog gives it back that was opened from here.
    const isLost = [document.body, document.getElementById('main')].some(
      (element) => element === document.activeElement,
    );
    if (saved.current && !saving && isLost) button.current?.focus();
    saved.current = saving;
  }, [button, saving]);
}
