import { useMounted } from '@mantine/hooks';
import { useLayoutEffect, useState, type ComponentProps, type RefObject } from 'react';
import { MoreIcon } from './icons';

/** The button of a menu in a row. A plain one, as there are many rows; the menu of the library takes several times as long to show. */
export function MenuButton({ label, ...props }: ComponentProps<'button'> & { readonly label: string }) {
  const name = `More actions for ${label}`;
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      // The menu gives its target a class, which may be empty.
      className={`row-action ${props.className ?? ''}`}
    >
      <MoreIcon />
    </button>
  );
}

/** Props for the menu of the library, which is made when its button is first pressed. @param button its target */
export function useLateMenu(button: RefObject<HTMLButtonElement | null>) {
  const [isOpened, onChange] = useState(true);
  // Made closed, then opened: where the focus goes back to, the library only notes when it sees a menu open.
  const isMade = useMounted();
  useLayoutEffect(() => {
    // Takes the place of the plain button, and its focus: that is where the focus returns to.
    button.current?.focus({ preventScroll: true });
  }, [button]);
  return {
    opened: isOpened && isMade,
    onChange,
    position: 'bottom-end',
    withInitialFocusPlaceholder: false,
    transitionProps: { duration: 0 },
  } as const;
}
