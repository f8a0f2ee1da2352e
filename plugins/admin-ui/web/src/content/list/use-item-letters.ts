import { notifications } from '@mantine/notifications';
import type { ItemMetadata } from '@gantry/contracts';
import { useNavigate } from 'react-router-dom';
import { basePath } from '../../common/base-path';
import { may } from '../../common/may';
import type { ListLetters } from './use-list-keys';

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

/** Copies the address of an item as others can open it. */
export function copyLink(address: string): void {
  const link = `${location.origin}${basePath}${address}`;
  // Without a secure address, such as http:// in a network, a page cannot write to the clipboard.
  const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(link) ?? Promise.reject(new Error('none'));
  copied.then(
    () => notifications.show({ message: 'Link copied', color: 'green' }),
    () => notifications.show({ message: `The link could not be copied: ${link}`, color: 'yellow' }),
  );
}
