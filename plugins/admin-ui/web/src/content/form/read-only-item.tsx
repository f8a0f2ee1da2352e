import { Stack, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { numberText } from '../../api/json';
import { Timestamp } from '../../ui/timestamp';
import { LockedField } from './locked-field';

export interface ReadOnlyItemProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
}

/** An item that only the plugin of its type writes. */
export function ReadOnlyItem({ metadata, item }: ReadOnlyItemProps) {
  return (
    <Stack gap="md" maw={760}>
      {metadata.fields.map((field) => (
        <LockedField
          key={field.name}
          field={field}
          value={item.values[field.name]}
          reason="Written by the plugin that brings this type."
        />
      ))}
    </Stack>
  );
}

/** Type, id, version and times of an item. */
export function ItemFacts({ metadata, item }: ReadOnlyItemProps) {
  return (
    <Text size="sm" component="span">
      {metadata.displayName} {item.id} · version {numberText(item.values['version'])} · created{' '}
      <Timestamp value={item.values['createdAt']} /> · changed <Timestamp value={item.values['updatedAt']} />
    </Text>
  );
}
