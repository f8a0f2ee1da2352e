import { Alert, Button, Group, Popover, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { KeyboardEvent, SubmitEvent } from 'react';
import { messageOf } from '../../../api/api-error';
import type { Item } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import { FieldControl } from '../../form/fields/field-control';
import { ValueText } from '../../form/fields/value-text';
import { useCellEdit } from './use-cell-edit';

export interface CellEditorProps {
  readonly metadata: ItemMetadata;
  readonly field: FormField;
  readonly item: Item;
  readonly title: string;
  onClose(): void;
}

/** Changes one value of an item: Enter or Save stores it, Escape and Cancel leave it as it is. */
export function CellEditor({ metadata, field, item, title, onClose }: CellEditorProps) {
  const edit = useCellEdit(metadata, field, item);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const saved = await edit.save();
    if (saved === undefined) return;
    notifications.show({ message: `Saved ${metadata.displayName} ${itemLabel(saved).slice(0, 80)}`, color: 'green' });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const closesChoices = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || closesChoices) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <Popover
      opened
      position="bottom-start"
      width={320}
      shadow="md"
      trapFocus
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <span className="cell-anchor" />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={title} onKeyDown={onKeyDown}>
        <form onSubmit={(event: SubmitEvent) => void submit(event)} noValidate>
          <FieldControl
            type={metadata.code}
            field={field}
            value={edit.value}
            error={edit.problem}
            onChange={edit.setValue}
          />
          {edit.theirs === undefined ? null : (
            <Alert color="yellow" mt="sm" role="alert" title="Changed by someone else">
              <Text size="sm" component="div">
                {field.displayName} is now: <ValueText field={field} value={edit.theirs} />. Save replaces it with your
                value.
              </Text>
            </Alert>
          )}
          {edit.failure === undefined ? null : (
            <Text size="sm" c="red" mt="sm" role="alert">
              Not saved. {messageOf(edit.failure)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button size="xs" type="submit" loading={edit.saving} disabled={!edit.isChanged}>
              Save
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
