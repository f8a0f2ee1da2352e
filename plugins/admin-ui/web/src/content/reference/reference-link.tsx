import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useDrawerLevel, useDrawers } from './drawers';

export interface ReferenceLinkProps {
  /** Type code of what is referred to. */
  readonly target: string;
  readonly id: string;
  readonly label: string;
  /** The field that refers to it. */
  readonly field: string;
}

/** Leads to an item that is referred to: in a drawer over a form, otherwise on its page. */
export function ReferenceLink({ target, id, label, field }: ReferenceLinkProps) {
  const level = useDrawerLevel();
  const { hrefOf, memoryOf } = useDrawers();
  const isDrawer = level !== undefined;
  return (
    <Anchor
      component={Link}
      inherit
      to={isDrawer ? hrefOf(level, { type: target, id, field }) : `/content/${target}/${id}`}
      state={isDrawer ? memoryOf(level) : undefined}
    >
      <bdi>{label}</bdi>
    </Anchor>
  );
}
