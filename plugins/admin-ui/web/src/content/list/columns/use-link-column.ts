import type { ItemMetadata } from '@gantry/contracts';
import { useMemo } from 'react';
import { findClaim } from '../../../plugin-ui/claims';
import { useUis } from '../../../plugin-ui/ui-context';
import { linkColumnOf, type TableColumn } from './columns';

/** The column that names the items of a list and leads to them. */
export function useLinkColumn(metadata: ItemMetadata, columns: readonly TableColumn[]): string {
  const uis = useUis();
  return useMemo(
    () => linkColumnOf(metadata, columns, (column) => findClaim(uis, 'cells', metadata.code, column) !== undefined),
    [columns, uis, metadata],
  );
}
