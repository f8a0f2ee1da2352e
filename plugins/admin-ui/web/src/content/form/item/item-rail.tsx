import type { ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { Item } from '../../../api/items';
import { RecentVersions } from '../../history/recent-versions';
import { UsedBy } from './used-by';

export interface ItemRailProps {
  readonly metadata: ItemMetadata;
  /** Undefined for a new item. */
  readonly item: Item | undefined;
  /** The content beside the rail leaves room below it for facts about the item. */
  readonly isShort: boolean;
  /** Above all else. */
  readonly children?: ReactNode;
}

/** Rail beside the content of an item: images, states, references to it, its last versions. */
export function ItemRail({ metadata, item, isShort, children }: ItemRailProps) {
  const versions = item === undefined ? null : <RecentVersions metadata={metadata} item={item} />;
  const usedBy = item === undefined ? null : <UsedBy type={metadata.code} id={item.id} />;
  return (
    <>
      <div className="item-rail">
        {children}
        {isShort ? null : usedBy}
        {isShort ? null : versions}
      </div>
      {isShort && item !== undefined ? (
        <div className="item-history">
          {versions}
          {usedBy}
        </div>
      ) : null}
    </>
  );
}
