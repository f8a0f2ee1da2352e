import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { itemLabel } from '../../../api/label';
import { itemQuery } from '../../../api/queries';
import type { ItemLinkAttributes } from './item-link-attributes';

interface ItemLinkProps {
  readonly item: ItemLinkAttributes;
  readonly children: ReactNode;
}

/** A link to an item, with what the item is called by now as its title. */
export function ItemLink({ item: { type, id }, children }: ItemLinkProps) {
  const [isWanted, setIsWanted] = useState(false);
  const item = useQuery({ ...itemQuery(type, id), enabled: isWanted });
  const want = (): void => setIsWanted(true);
  return (
    <Anchor
      component={Link}
      inherit
      to={`/content/${type}/${id}`}
      title={item.data === undefined ? undefined : itemLabel(item.data)}
      onPointerEnter={want}
      onFocus={want}
    >
      {children}
    </Anchor>
  );
}
