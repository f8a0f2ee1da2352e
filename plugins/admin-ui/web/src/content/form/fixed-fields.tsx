import { Stack, Text } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { Surface } from '../../ui/surface';
import { LockedField } from './locked-field';

interface FixedFieldsProps {
  readonly fields: readonly FormField[];
  /** Undefined for a new item, which has no such fields. */
  readonly item: Item | undefined;
}

/** The values of an item that are set on create only. */
export function FixedFields({ fields, item }: FixedFieldsProps) {
  if (fields.length === 0) return null;
  const isComputed = ({ computed }: FormField): boolean => computed === true;
  const isRefused = fields.some((field) => field.readOnly === true && !isComputed(field));
  const [label, reason] = fields.every(isComputed)
    ? ['Computed', 'Computed from other values; nobody sets it.']
    : isRefused
      ? ['Cannot be changed', 'Your roles do not let you change this.']
      : ['Set on create', 'Set when the item is created; cannot be changed.'];
  return (
    <Surface label={label}>
      <Stack gap="sm">
        {fields.map((field) => (
          <LockedField
            key={field.name}
            field={field}
            value={item?.values[field.name]}
            {...(label !== 'Computed' && isComputed(field) ? { reason: 'Computed' } : {})}
          />
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="xs">
        {reason}
      </Text>
    </Surface>
  );
}
