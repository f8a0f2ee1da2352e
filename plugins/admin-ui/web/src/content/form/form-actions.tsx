import { Button, Group, Menu, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { ChevronIcon, UndoIcon } from '../../ui/icons';
import { IconButton } from '../../ui/page/link-button';
import { softDisabledProps } from '../../ui/soft-disabled-props';
import { slowAfterMs, useLongerThan } from '../../ui/time/use-longer-than';

export interface FormActionsProps {
  /** The id of the form, which the button need not be within. */
  readonly form: string;
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
  /** Before the button that saves. */
  readonly children?: ReactNode;
}

/** Saving and what else ends the work on a form, the primary action last. */
export function FormActions(props: FormActionsProps) {
  const { form, isNew, changes, saving, uploading, nothingToSave, onReset, onSaveAndNew, onCancel, children } = props;
  const slow = useLongerThan(slowAfterMs, saving);
  const save = useRef<HTMLButtonElement>(null);
  useKeptFocus(save, saving);
  const isUnsaved = !isNew && changes > 0;
  return (
    <>
      <Text size="sm" c="dimmed" role="status" className="form-state">
        {slow ? 'The platform is slow to answer. Still saving; you can continue to type.' : null}
        {uploading ? 'You can save when the image is uploaded.' : null}
        {isUnsaved && !slow && !uploading ? (
          <span className="unsaved">
            {changes} {changes === 1 ? 'field' : 'fields'} changed
          </span>
        ) : null}
      </Text>
      {changes > 0 ? (
        <IconButton
          label="Discard changes"
          size="lg"
          disabled={saving}
          onClick={() => {
            onReset();
            // This button goes with the changes.
            save.current?.focus();
          }}
        >
          <UndoIcon />
        </IconButton>
      ) : null}
      {children}
      {onCancel === undefined ? null : (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Group className="split-button" gap="0" wrap="nowrap">
        <Button
          ref={save}
          type="submit"
          form={form}
          loading={saving}
          {...softDisabledProps(nothingToSave)}
          aria-keyshortcuts="Control+S"
          leftSection={isUnsaved ? <span className="unsaved-dot" /> : undefined}
        >
          {isNew ? 'Create' : 'Save'}
        </Button>
        {onSaveAndNew === undefined ? null : (
          <Menu position="bottom-end" disabled={saving || nothingToSave} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button px="xs" aria-label="More save options" {...softDisabledProps(saving || nothingToSave)}>
                <ChevronIcon size={16} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onSaveAndNew}>{isNew ? 'Create and add another' : 'Save and add another'}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </>
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
