import { Checkbox, NativeSelect, Stack, Table, Text } from '@mantine/core';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listItems, type FormValue, type Item, type ListFilter } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import { FieldControl } from '../../form/fields/field-control';
import { newValues, storedValues } from '../../form/fields/form-values';
import { ValueText } from '../../form/fields/value-text';
import type { Selection } from '../selection/use-selection';
import { setting } from './bulk-actions';
import { Buttons, counted, subject, type BulkQuestionProps } from './bulk-question';

/** Chooses a field and its new value, and shows what that changes in the first items. */
export function SetQuestion({ metadata, selection, filter, count, onStart, onClose }: BulkQuestionProps) {
  const fields = metadata.fields.filter(({ editableOnUpdate }) => editableOnUpdate);
  const [name, setName] = useState('');
  const field = fields.find((candidate) => candidate.name === name);
  const [chosen, setChosen] = useState<FormValue>('');
  const [clear, setClear] = useState(false);
  if (fields.length === 0) return <Text>{metadata.displayName} has no field that can be changed.</Text>;
  const value = clear && field !== undefined ? emptyValue(field) : chosen;
  const isComplete = field !== undefined && (clear || !isEmpty(chosen));
  return (
    <Stack gap="sm">
      <Text>
        {subject(metadata, selection, count)} will get the same value. The previous values are kept in the history.
      </Text>
      <NativeSelect
        label="Field to edit"
        data={[
          { value: '', label: 'Choose a field …' },
          ...fields.map((candidate) => ({ value: candidate.name, label: candidate.displayName })),
        ]}
        value={name}
        onChange={(event) => {
          const next = fields.find((candidate) => candidate.name === event.currentTarget.value);
          setName(next?.name ?? '');
          setChosen(next === undefined ? '' : emptyValue(next));
          setClear(false);
        }}
      />
      {field === undefined || clear ? null : (
        <FieldControl
          key={field.name}
          type={metadata.code}
          field={field}
          value={chosen}
          error={undefined}
          onChange={setChosen}
        />
      )}
      {field === undefined || field.required ? null : (
        <Checkbox label="Clear the field" checked={clear} onChange={(event) => setClear(event.currentTarget.checked)} />
      )}
      {isComplete ? (
        <Preview metadata={metadata} selection={selection} filter={filter} field={field} value={value} />
      ) : null}
      <Buttons
        label={count.value === undefined ? 'Edit' : `Edit ${counted(metadata, count.value)}`}
        count={count}
        isComplete={isComplete}
        onStart={() => (field === undefined ? undefined : onStart(setting(metadata, field, value)))}
        onClose={onClose}
      />
    </Stack>
  );
}

function emptyValue(field: FormField): FormValue {
  const { default: _declared, ...bare } = field;
  return newValues([bare])[field.name] ?? '';
}

/** A tick is a value either way. */
function isEmpty(value: FormValue): boolean {
  return typeof value === 'string' ? value.trim() === '' : typeof value === 'object' && value.length === 0;
}

interface PreviewProps {
  readonly metadata: ItemMetadata;
  readonly selection: Selection;
  readonly filter: ListFilter;
  readonly field: FormField;
  readonly value: FormValue;
}

const previewRows = 3;

/** The first items before and after. */
function Preview({ metadata, selection, filter, field, value }: PreviewProps) {
  const first = useFirstItems(metadata.code, selection, filter);
  if (first.length === 0) return null;
  return (
    <Table captionSide="top" layout="fixed" verticalSpacing={4}>
      <Table.Caption>Preview</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Item</Table.Th>
          <Table.Th scope="col">{field.displayName} now</Table.Th>
          <Table.Th scope="col">New value</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {first.map((item) => (
          <Table.Tr key={item.id}>
            <Table.Th scope="row" fw={400}>
              <bdi className="long-text">{itemLabel(item).slice(0, 80)}</bdi>
            </Table.Th>
            <Table.Td>
              <ValueText field={field} value={storedValues([field], item)[field.name] ?? ''} />
            </Table.Td>
            <Table.Td>
              <ValueText field={field} value={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function useFirstItems(type: string, selection: Selection, filter: ListFilter): readonly Item[] {
  const matches = useQuery({
    queryKey: ['items', type, 'preview', filter],
    queryFn: async ({ signal }) =>
      (await listItems(type, { ...filter, sort: '-id', limit: previewRows }, signal)).items,
    enabled: selection.kind === 'matches',
  });
  return selection.kind === 'matches' ? (matches.data ?? []) : [...selection.items.values()].slice(0, previewRows);
}
