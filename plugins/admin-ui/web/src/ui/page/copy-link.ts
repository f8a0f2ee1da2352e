import { notifications } from '@mantine/notifications';
import { basePath } from '../../common/base-path';

/** Copies the address of a page as others can open it. */
export function copyLink(address: string): void {
  const link = `${location.origin}${basePath}${address}`;
  // Without a secure address, such as http:// in a network, a page cannot write to the clipboard.
  const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(link) ?? Promise.reject(new Error('none'));
  copied.then(
    () => notifications.show({ message: 'Link copied', color: 'green' }),
    () => notifications.show({ message: `The link could not be copied: ${link}`, color: 'yellow' }),
  );
}
