import '../form.css';
import { Text } from '@mantine/core';
import { evaluateConditions, type FormField, type ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { Surface } from '../../../ui/surface';
import { divideFields, isShortForm, sectionsOf, widthOf } from '../fields/form-sections';
import { ItemFacts } from './item-facts';
import { ItemRail } from './item-rail';
import { storedValues } from '../fields/form-values';
import { LockedField } from '../fields/locked-field';

export interface ReadOnlyItemProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** A drawer has no room for a rail. */
  readonly isPage?: boolean;
}

/** An item that the reader may not change, such as one that only the plugin of its type writes. */
export function ReadOnlyItem({ metadata, item, isPage = false }: ReadOnlyItemProps) {
  const values = storedValues(metadata.fields, item);
  const conditions = evaluateConditions(metadata.fields, (name) => values[name]);
  const shown = metadata.fields.filter(({ name }) => conditions.isVisible(name));
  const { main, images, states } = isPage ? divideFields(shown) : { main: shown, images: [], states: [] };
  const locked = (fields: readonly FormField[]) =>
    fields.map((field) => (
      <div key={field.name} className="item-field" data-width={widthOf(field)}>
        <LockedField field={field} value={item.values[field.name]} />
      </div>
    ));
  return (
    <div className={isPage ? 'with-rail' : undefined}>
      <div className={isPage ? 'surface item-main' : undefined}>
        <Text size="sm" c="dimmed" mb="md">
          {metadata.readOnly
            ? 'Read-only: written by the plugin of this type.'
            : 'Read-only: your roles do not let you change it.'}
        </Text>
        <div className="field-grid">
          <div>{locked(main)}</div>
        </div>
      </div>
      {isPage ? (
        <ItemRail metadata={metadata} item={item} isShort={isShortForm(main)}>
          {images.length === 0 ? null : <Surface>{locked(images)}</Surface>}
          {sectionsOf(states).map(({ heading = 'State', fields }) => (
            <Surface key={heading} title={heading}>
              <div className="field-grid">
                <div>{locked(fields)}</div>
              </div>
            </Surface>
          ))}
        </ItemRail>
      ) : (
        <ItemFacts metadata={metadata} item={item} />
      )}
    </div>
  );
}
