import { Button, Group, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ItemMetadata } from '@gantry/contracts';
import { useEffect, type SubmitEvent } from 'react';
import type { Item } from '../../api/items';
import { ErrorState } from '../../ui/states';
import { itemLabel } from '../label';
import { ConflictDialog } from './conflict-dialog';
import { controlId, FieldControl } from './field-control';
import type { FormValues } from './form-values';
import { LockedField } from './locked-field';
import { UnsavedGuard } from './unsaved-guard';
import { useItemForm } from './use-item-form';

export interface ItemFormProps {
  readonly metadata: ItemMetadata;
  /** The item that is edited; a new one without. */
  readonly stored?: Item;
  /** Values that a new item begins with, beside the declared defaults. */
  readonly initial?: FormValues;
  onSaved(item: Item, another: boolean): void;
}

/** The form of an item, made from its form fields. */
export function ItemForm({ metadata, stored, initial, onSaved }: ItemFormProps) {
  const form = useItemForm(metadata, stored, initial);
  const finish = (item: Item | undefined, another = false): void => {
    if (item === undefined) return;
    notifications.show({ message: `Saved ${metadata.displayName} ${itemLabel(item).slice(0, 80)}`, color: 'green' });
    onSaved(item, another);
  };
  const submit = async (event?: SubmitEvent): Promise<void> => {
    event?.preventDefault();
    finish(await form.save());
  };
  useHotkeys([['mod+S', () => void submit()]], []);
  const { problems } = form;
  useEffect(() => {
    const wrong = metadata.fields.find(({ name }) => problems.fields[name] !== undefined);
    if (wrong !== undefined) document.getElementById(controlId(wrong))?.focus();
  }, [problems, metadata]);
  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={`${stored === undefined ? 'New' : 'Edit'} ${metadata.displayName}`}
    >
      <Stack gap="md" maw={760}>
        {problems.general === undefined ? null : (
          <ErrorState error={problems.general} title="Not saved. What you typed is still here." />
        )}
        {metadata.fields.map((field) => {
          const editable = form.fields.includes(field);
          return editable ? (
            <FieldControl
              key={field.name}
              type={metadata.code}
              field={field}
              value={form.values[field.name] ?? ''}
              error={problems.fields[field.name]}
              onChange={(value) => form.set(field.name, value)}
            />
          ) : (
            <LockedField
              key={field.name}
              field={field}
              value={stored?.values[field.name]}
              reason="Set when the item is created; it cannot be changed."
            />
          );
        })}
        <FormBar
          isNew={stored === undefined}
          changes={form.changed.length}
          saving={form.saving}
          onReset={form.reset}
          onSaveAndNew={() => void form.save().then((item) => finish(item, true))}
        />
      </Stack>
      {form.conflict === undefined ? null : (
        <ConflictDialog
          found={form.conflict.found}
          onCancel={form.cancelConflict}
          onResolve={(keepMine) => void form.resolve(keepMine).then((item) => finish(item))}
        />
      )}
      <UnsavedGuard dirty={form.dirty} />
    </form>
  );
}

interface FormBarProps {
  readonly isNew: boolean;
  readonly changes: number;
  readonly saving: boolean;
  onReset(): void;
  onSaveAndNew(): void;
}

function FormBar({ isNew, changes, saving, onReset, onSaveAndNew }: FormBarProps) {
  return (
    <Group className="form-bar" gap="sm">
      <Button type="submit" loading={saving} disabled={!isNew && changes === 0} aria-keyshortcuts="Control+S">
        {isNew ? 'Create' : 'Save'}
      </Button>
      {isNew ? (
        <Button variant="default" onClick={onSaveAndNew} disabled={saving}>
          Create and add another
        </Button>
      ) : null}
      {changes > 0 ? (
        <Button variant="subtle" onClick={onReset} disabled={saving}>
          Discard changes
        </Button>
      ) : null}
      <Text size="sm" c="dimmed" role="status">
        {isNew || changes === 0 ? '' : `${changes} ${changes === 1 ? 'field' : 'fields'} changed`}
      </Text>
    </Group>
  );
}
