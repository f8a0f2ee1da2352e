import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { Item } from '../../api/items';
import { RecentVersions } from '../history/recent-versions';
import { FixedFields } from './fixed-fields';
import { ItemFacts } from './item-facts';
import { UsedBy } from './used-by';

export interface ItemRailProps {
  readonly metadata: ItemMetadata;
  /** Undefined for a new item. */
  readonly item: Item | undefined;
  /** Fields that the form has no control for. */
  readonly fixed?: readonly FormField[];
  /** Above all else. */
  readonly children?: ReactNode;
}

/** What one looks at beside the content of an item: images, what cannot be changed, its last versions, what uses it. */
export function ItemRail({ metadata, item, fixed = [], children }: ItemRailProps) {
  return (
    <div className="item-rail">
      {children}
      {item === undefined ? null : (
        <>
          <FixedFields fields={fixed} item={item} />
          <RecentVersions metadata={metadata} item={item}>
            <ItemFacts metadata={metadata} item={item} />
          </RecentVersions>
          <UsedBy type={metadata.code} id={item.id} />
        </>
      )}
    </div>
  );
}
