import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';
import { useLastList } from '../last-list';

/** Elements that handle Escape themselves while they are open. */
const open = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape outside of an input leads back to the list, after a question if something is unsaved. */
export function useLeaveKey(type: string): void {
  const navigate = useNavigate();
  const { to, state } = useLastList(type);
  useHotkeys([['Escape', (event) => (isForOther(event) ? undefined : void navigate(to, { state }))]]);
}

/** The element that the key closes may be removed from the document, but still contains the focused one. Closed lists of choices are hidden. */
function isForOther({ target }: KeyboardEvent): boolean {
  const isOpen = [...document.querySelectorAll(open)].some((element) => element.checkVisibility());
  return isOpen || (target instanceof Element && target.closest(open) !== null);
}
