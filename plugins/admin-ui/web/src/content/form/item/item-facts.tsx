import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { numberText } from '../../../api/json';
import { Timestamp } from '../../../ui/time/timestamp';

export interface ItemFactsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** Times that are said elsewhere. */
  readonly without?: readonly ItemTime[];
}

export type ItemTime = 'createdAt' | 'updatedAt';

const times = { createdAt: 'Created', updatedAt: 'Changed' } as const;

/** Times, id and version of an item. */
export function ItemFacts({ metadata, item, without = [] }: ItemFactsProps) {
  const shown = (['createdAt', 'updatedAt'] as const).filter((time) => !without.includes(time));
  return (
    <section className="item-facts" aria-label="About this item">
      {shown.length === 0 ? null : (
        <dl>
          {shown.map((time) => (
            <div key={time}>
              <dt>{times[time]}</dt>
              <dd>
                <Timestamp value={item.values[time]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p>{versionText({ metadata, item })}</p>
    </section>
  );
}

/** `Product 5, version 2`. */
export function versionText({ metadata, item }: ItemFactsProps): string {
  return `${metadata.displayName} ${item.id}, version ${numberText(item.values['version'])}`;
}
