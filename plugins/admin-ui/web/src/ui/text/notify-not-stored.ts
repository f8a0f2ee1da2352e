import { notifications } from '@mantine/notifications';
import { messageOf } from '../../api/api-error';

/** Says that a preference of the reader was not stored, and why. */
export function notifyNotStored(error: unknown): void {
  notifications.show({ message: `Not stored: ${messageOf(error)}`, color: 'red' });
}
