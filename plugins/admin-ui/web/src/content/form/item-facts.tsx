import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { numberText } from '../../api/json';
import { Timestamp } from '../../ui/timestamp';

export interface ItemFactsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
}

/** Times, id and version of an item. */
export function ItemFacts({ metadata, item }: ItemFactsProps) {
  return (
    <section className="item-facts" aria-label="About this item">
      <dl>
        <dt>Created</dt>
        <dd>
          <Timestamp value={item.values['createdAt']} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Timestamp value={item.values['updatedAt']} />
        </dd>
      </dl>
      <p>{versionText({ metadata, item })}</p>
    </section>
  );
}

/** `Product 5, version 2`. */
export function versionText({ metadata, item }: ItemFactsProps): string {
  return `${metadata.displayName} ${item.id}, version ${numberText(item.values['version'])}`;
}
