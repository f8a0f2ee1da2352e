import type { ItemMetadata } from '@gantry/contracts';
import type { ListRequest } from '../../api/items';
import { isSortable } from './columns/columns';
import { currentCriteria } from './filter/fitting-criteria';
import type { ListState } from './list-state';

/** Request for a list as its address describes it. */
export function listRequestOf(metadata: ItemMetadata, { criteria, q, sort, after, limit }: ListState): ListRequest {
  return { criteria: currentCriteria(metadata, criteria), q, sort: knownSort(metadata, sort), after, limit };
}

/** A field that is gone, or that cannot be searched any more, cannot sort: the platform would refuse the whole list. */
function knownSort(metadata: ItemMetadata, sort: string | undefined): string | undefined {
  return sort !== undefined && isSortable(metadata, sort.replace(/^-/, '')) ? sort : undefined;
}
