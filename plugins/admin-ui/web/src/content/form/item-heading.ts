import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { itemLabel, shortText } from '../../api/label';

/** What heads the page of an item: the value of the type's heading field and the label, or the label alone. */
export function itemHeading({ heading }: Pick<ItemMetadata, 'heading'>, item: Item): string {
  const label = itemLabel(item).slice(0, 200);
  const text = heading === undefined ? '' : shortText(item.values[heading]).trim().slice(0, 200);
  return text === '' || text === label ? label : `${text} · ${label}`;
}
