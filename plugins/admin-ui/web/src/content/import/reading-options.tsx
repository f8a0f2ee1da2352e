import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { kindOf } from '../kinds/registry';
import { lackingFields, type ImportOrder } from './import-order';
import { delimiters, type FileFormat } from './preview';

export interface ReadingOptionsProps {
  readonly metadata: ItemMetadata;
  readonly order: ImportOrder;
  /** Another format or delimiter: the file has to be read again. */
  onFormat(format: FileFormat, delimiter: string): void;
  onChange(part: Partial<ImportOrder>): void;
}

const formatNames: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV: rows below a header',
  jsonl: 'JSON Lines: an object on every line',
  json: 'JSON: one array of objects',
};

const delimiterNames: Readonly<Record<(typeof delimiters)[number], string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};

/** How the file is read, and what becomes of items that are there already. */
export function ReadingOptions({ metadata, order, onFormat, onChange }: ReadingOptionsProps) {
  const keys = metadata.fields.filter(({ type }) => kindOf(type).isKey);
  const isCsv = order.format === 'csv';
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-start">
        <NativeSelect
          label="Format"
          value={order.format}
          onChange={(event) => onFormat(event.currentTarget.value as FileFormat, order.delimiter)}
          data={Object.entries(formatNames).map(([value, label]) => ({ value, label }))}
        />
        {isCsv ? (
          <NativeSelect
            label="Delimiter"
            value={order.delimiter}
            onChange={(event) => onFormat('csv', event.currentTarget.value)}
            data={delimiters.map((value) => ({ value, label: delimiterNames[value] }))}
          />
        ) : null}
        <NativeSelect
          label="Existing items"
          value={order.match}
          onChange={(event) => onChange({ match: event.currentTarget.value })}
          data={[
            { value: '', label: 'Create all as new' },
            { value: 'id', label: 'Change the item with the same id' },
            ...keys.map(({ name, displayName }) => ({
              value: name,
              label: `Change the item with the same ${displayName.toLowerCase()}`,
            })),
          ]}
        />
      </Group>
      {lackingFields(metadata, order).map((field) => (
        <TextInput
          key={field.name}
          maw={420}
          label={`${field.displayName} of all items`}
          description={kindOf(field.type).importHint(order.ids)}
          withAsterisk
          value={order.fixed[field.name] ?? ''}
          onChange={(event) => onChange({ fixed: { ...order.fixed, [field.name]: event.currentTarget.value } })}
        />
      ))}
      <Group gap="lg">
        <Checkbox
          label="References are ids"
          checked={order.ids}
          onChange={(event) => onChange({ ids: event.currentTarget.checked })}
        />
        {isCsv ? (
          <Checkbox
            label="Written for spreadsheets (an apostrophe before formulas)"
            checked={order.safeCsv}
            onChange={(event) => onChange({ safeCsv: event.currentTarget.checked })}
          />
        ) : (
          <Checkbox
            label="Skip keys that are not fields"
            checked={order.ignoreUnknown}
            onChange={(event) => onChange({ ignoreUnknown: event.currentTarget.checked })}
          />
        )}
      </Group>
    </Stack>
  );
}
