import type { ItemMetadata } from '@gantry/contracts';
import { useNavigate } from 'react-router-dom';
import { may } from '../../../common/may';
import { copyLink } from '../../../ui/page/copy-link';
import type { ListLetters } from '../use-list-keys';

/** D duplicates the item of a row, L copies the link to it; the menu of the row has the same. */
export function useItemLetters(metadata: ItemMetadata): ListLetters {
  const navigate = useNavigate();
  return {
    d: may(metadata, 'create') ? (address) => void navigate(duplicateOf(address)) : undefined,
    l: copyLink,
  };
}

function duplicateOf(address: string): string {
  return address.replace(/\/(\d+)$/, '/new?from=$1');
}
