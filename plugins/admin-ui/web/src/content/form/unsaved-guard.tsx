import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, type RefObject } from 'react';
import { useBlocker } from 'react-router-dom';

/** Asks before a page with unsaved changes is left, by a link, by Back, or by closing the tab. */
export function UnsavedGuard({ dirty }: { readonly dirty: RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (dirty.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text>The changes on this page are not saved and would be lost.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          Stay here
        </Button>
        <Button color="red.9" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  );
}
