import { Modal, type ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { keepFocusInPage } from './keys/keep-focus-in-page';

/**
 * A dialog of a page. Until it is opened for the first time there is nothing of it in the document: pages have many
 * dialogs, and a visit opens few of them.
 */
export function Dialog(props: ModalProps) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  return wanted ? <KnownDialog {...props} /> : null;
}

/** Made closed, then opened: where the focus goes back to, the library only notes when it sees a dialog open. */
function KnownDialog({ opened, ...props }: ModalProps) {
  const made = useMounted();
  return (
    <Modal
      closeButtonProps={{ 'aria-label': 'Close' }}
      {...props}
      opened={opened && made}
      onExitTransitionEnd={() => {
        props.onExitTransitionEnd?.();
        // The element that opened the dialog may be gone by now, or wait.
        keepFocusInPage();
      }}
    />
  );
}
