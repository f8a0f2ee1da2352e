import { Group, Paper, Text } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { LockedField } from './locked-field';

export interface FixedFieldsProps {
  readonly fields: readonly FormField[];
  readonly item: Item;
}

/** The values of an item that are set on create only, above the form, which has no fields for them. */
export function FixedFields({ fields, item }: FixedFieldsProps) {
  if (fields.length === 0) return null;
  return (
    <Paper component="section" withBorder p="md" mb="lg" maw={760} aria-label="Set on create">
      <Group gap="xl" align="flex-start">
        {fields.map((field) => (
          <LockedField key={field.name} field={field} value={item.values[field.name]} />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        Set when the item is created; cannot be changed.
      </Text>
    </Paper>
  );
}
