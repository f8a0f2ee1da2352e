import type { ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { Item } from '../../../api/items';
import { UsedBy } from './used-by';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { lastVersionsQuery, versionOf } from '../../../api/changes';
import { Surface } from '../../../ui/surface';
import { ItemFacts, type ItemTime } from './item-facts';
import { ChangeList } from '../../history/change-list';

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

interface RecentVersionsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
}

/** The last versions of an item, a line each, the way to all of them, and what they do not say. */
function RecentVersions({ metadata, item }: RecentVersionsProps) {
  const { data: changes = [] } = useQuery(lastVersionsQuery(metadata.code, item.id));
  const count = versionOf(item);
  const said: readonly ItemTime[] = [
    ...(changes.length > 0 ? (['updatedAt'] as const) : []),
    ...(changes.some(({ action }) => action === 'created') ? (['createdAt'] as const) : []),
  ];
  return (
    <Surface
      title="History"
      aside={
        <Anchor component={Link} to={`/content/${metadata.code}/${item.id}/history`} size="sm">
          <span className="visually-hidden">History: </span>All{count === undefined ? '' : ` ${count.toLocaleString()}`}
        </Anchor>
      }
    >
      <ChangeList metadata={metadata} changes={changes} />
      <ItemFacts metadata={metadata} item={item} without={said} />
    </Surface>
  );
}
