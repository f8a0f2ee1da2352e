import './form.css';
import { Stack } from '@mantine/core';
import { evaluateConditions, type ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { ItemFacts } from './item-facts';
import { storedValues } from './form-values';
import { LockedField } from './locked-field';

export interface ReadOnlyItemProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** A drawer has no room for a rail. */
  readonly isPage?: boolean;
}

/** An item that only the plugin of its type writes. */
export function ReadOnlyItem({ metadata, item, isPage = false }: ReadOnlyItemProps) {
  const values = storedValues(metadata.fields, item);
  const conditions = evaluateConditions(metadata.fields, (name) => values[name]);
  return (
    <div className="item-layout" data-rail={isPage || undefined}>
      <Stack gap="md" className="item-main">
        {metadata.fields
          .filter(({ name }) => conditions.isVisible(name))
          .map((field) => (
            <LockedField
              key={field.name}
              field={field}
              value={item.values[field.name]}
              reason="Read-only: written by the plugin of this type."
            />
          ))}
      </Stack>
      <ItemFacts metadata={metadata} item={item} isPage={isPage} />
    </div>
  );
}
