import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepFocusInPage } from '../../ui/keys/keep-focus-in-page';

/** In milliseconds; while the pointer is over a message it stays. */
const shownForMs = 15_000;

/** Says what was done, with a button that reverts it. */
export function notifyUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span className="page-title">{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          className="keep-size"
          onClick={() => {
            notifications.hide(id);
            keepFocusInPage();
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    color: 'green',
    autoClose: shownForMs,
  });
}
