import { Anchor } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { lastVersionsQuery, versionOf } from '../../api/changes';
import type { Item } from '../../api/items';
import { Surface } from '../../ui/surface';
import { ChangeList } from './change-list';

export interface RecentVersionsProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  /** Below the versions. */
  readonly children: ReactNode;
}

/** The last versions of an item, a line each, and the way to all of them. */
export function RecentVersions({ metadata, item, children }: RecentVersionsProps) {
  const { data: changes = [] } = useQuery(lastVersionsQuery(metadata.code, item.id));
  const count = versionOf(item);
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
      {children}
    </Surface>
  );
}
