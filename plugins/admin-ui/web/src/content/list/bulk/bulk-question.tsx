import { Alert, Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { WarningIcon } from '../../../ui/icons';
import { ErrorState } from '../../../ui/states';
import { FieldControl } from '../../form/field-control';
import { newValues } from '../../form/form-values';
import type { FormValue } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import type { Selection } from '../selection/use-selection';
import { deleting, setting, type BulkAct } from './bulk-actions';
import type { BulkCount } from './use-bulk-count';

export interface BulkQuestionProps {
  readonly metadata: ItemMetadata;
  readonly selection: Selection;
  readonly count: BulkCount;
  onStart(act: BulkAct): void;
  onClose(): void;
}

/** Names count and type before anything is deleted. */
export function DeleteQuestion({ metadata, selection, count, onStart, onClose }: BulkQuestionProps) {
  return (
    <>
      <Text>
        {subject(metadata, selection, count)} will be gone for good. Items that others refer to stay, and are named.
      </Text>
      <Names selection={selection} />
      <Buttons
        label={count.value === undefined ? 'Delete' : `Delete ${items(count.value)}`}
        dangerous
        count={count}
        onStart={() => onStart(deleting(metadata))}
        onClose={onClose}
      />
    </>
  );
}

/** Chooses a field and its value, with the control of the form. */
export function SetQuestion({ metadata, selection, count, onStart, onClose }: BulkQuestionProps) {
  const fields = metadata.fields.filter(({ editableOnUpdate }) => editableOnUpdate);
  const [name, setName] = useState(fields[0]?.name);
  const field = fields.find((candidate) => candidate.name === name);
  const [value, setValue] = useState<FormValue>(() => emptyValue(field));
  if (field === undefined) return <Text>No field of {metadata.displayName} can be changed.</Text>;
  return (
    <Stack gap="sm">
      <Text>{subject(metadata, selection, count)} will get the same value. What it replaces is not kept.</Text>
      <NativeSelect
        label="Field to set"
        data={fields.map((candidate) => ({ value: candidate.name, label: candidate.displayName }))}
        value={field.name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setValue(emptyValue(fields.find((candidate) => candidate.name === event.currentTarget.value)));
        }}
      />
      <FieldControl
        key={field.name}
        type={metadata.code}
        field={field}
        value={value}
        error={undefined}
        onChange={setValue}
      />
      {value === '' ? (
        <Text size="sm" c="dimmed">
          Without a value the field is emptied.
        </Text>
      ) : null}
      <Buttons
        label={count.value === undefined ? 'Set' : `Set on ${items(count.value)}`}
        count={count}
        onStart={() => onStart(setting(metadata, field, value))}
        onClose={onClose}
      />
    </Stack>
  );
}

function emptyValue(field: FormField | undefined): FormValue {
  if (field === undefined) return '';
  const { default: _declared, ...bare } = field;
  return newValues([bare])[field.name] ?? '';
}

function subject(metadata: ItemMetadata, selection: Selection, { value }: BulkCount): string {
  if (selection.kind === 'items') return `${items(selection.items.size)} of the type ${metadata.displayName}`;
  return `All ${value === undefined ? '' : `${value.toLocaleString()} `}items of the type ${metadata.displayName} that match the filters`;
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString()} items`;
}

const maxNames = 5;

function Names({ selection }: { readonly selection: Selection }) {
  if (selection.kind === 'matches') return null;
  const shown = [...selection.items.values()].slice(0, maxNames);
  const more = selection.items.size - shown.length;
  return (
    <ul className="long-text">
      {shown.map((item) => (
        <li key={item.id}>
          <bdi>{itemLabel(item).slice(0, 80)}</bdi> ({item.id})
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString()} more</li> : null}
    </ul>
  );
}

interface ButtonsProps {
  readonly label: string;
  readonly dangerous?: boolean;
  readonly count: BulkCount;
  onStart(): void;
  onClose(): void;
}

/** Nothing begins before it is known how many items it is about. */
function Buttons({ label, dangerous = false, count, onStart, onClose }: ButtonsProps) {
  return (
    <>
      {count.error === null ? null : (
        <ErrorState error={count.error} title="The items could not be counted" onRetry={count.retry} />
      )}
      {count.value === 0 ? <Alert color="yellow" icon={<WarningIcon />} title="No item matches any more" /> : null}
      <Group justify="flex-end" mt="md">
        {count.value === undefined && count.error === null ? <Loader size={18} aria-label="Counting" /> : null}
        <Button variant="default" onClick={onClose} data-autofocus={dangerous || undefined}>
          Cancel
        </Button>
        <Button
          onClick={onStart}
          disabled={count.value === undefined || count.value === 0}
          {...(dangerous ? { color: 'red.9' } : {})}
        >
          {label}
        </Button>
      </Group>
    </>
  );
}
