import type { ItemMetadata } from '@gantry/contracts';
import { may } from '../../common/may';
import { LinkTabs } from '../../ui/link-tabs';

export interface ItemTabsProps {
  readonly metadata: ItemMetadata;
  readonly id: string;
  readonly open: 'item' | 'history';
}

/** The item as it is, and how it came to be so. */
export function ItemTabs({ metadata, id, open }: ItemTabsProps) {
  const address = `/content/${metadata.code}/${id}`;
  return (
    <LinkTabs
      label="Views of the item"
      tabs={[
        {
          key: 'item',
          label: may(metadata, 'update') ? 'Edit' : 'Values',
          to: address,
          isOpen: open === 'item',
          count: undefined,
        },
        {
          key: 'history',
          label: 'History',
          to: `${address}/history`,
          isOpen: open === 'history',
          count: undefined,
        },
      ]}
    />
  );
}
