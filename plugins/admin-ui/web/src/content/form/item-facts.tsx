import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../api/items';
import { numberText } from '../../api/json';
import { UsedBy } from './used-by';
import { Timestamp } from '../../ui/timestamp';

export interface ItemFactsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** A drawer does not lead away to other items. */
  readonly isPage?: boolean;
}

/** Times, id and version of an item, and what refers to it, at the side of its form. */
export function ItemFacts({ metadata, item, isPage = false }: ItemFactsProps) {
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
      {isPage ? <UsedBy type={metadata.code} id={item.id} /> : null}
    </section>
  );
}

/** `Product 5, version 2`. */
export function versionText({ metadata, item }: ItemFactsProps): string {
  return `${metadata.displayName} ${item.id}, version ${numberText(item.values['version'])}`;
}
