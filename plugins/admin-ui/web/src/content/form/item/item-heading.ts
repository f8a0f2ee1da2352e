import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { itemLabel, shortText } from '../../../api/label';

/** The heading of the page of an item: the value of the type's heading field and the label, or the label alone; of a singleton, its name. */
export function itemHeading(
  type: Pick<ItemMetadata, 'displayName' | 'singleton' | 'heading' | 'labelField'>,
  item: Item,
): string {
  const { heading, singleton, displayName } = type;
  if (singleton === true) return displayName;
  const label = itemLabel(item, type).slice(0, 200);
  const text = heading === undefined ? '' : shortText(item.values[heading]).trim().slice(0, 200);
  return text === '' || text === label ? label : `${text} · ${label}`;
}
