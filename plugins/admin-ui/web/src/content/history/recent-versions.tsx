import { Anchor } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { lastVersionsQuery, versionOf } from '../../api/changes';
import type { Item } from '../../api/items';
import { Surface } from '../../ui/surface';
import { ItemFacts, type ItemTime } from '../form/item/item-facts';
import { ChangeList } from './change-list';

export interface RecentVersionsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
}

/** The last versions of an item, a line each, the way to all of them, and what they do not say. */
export function RecentVersions({ metadata, item }: RecentVersionsProps) {
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
