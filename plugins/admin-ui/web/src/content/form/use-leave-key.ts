import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';
import { useLastList } from '../last-list';

/** What takes Escape for itself while it is open. */
const open = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape outside of an input leads back to the list, after a question if something is unsaved. */
export function useLeaveKey(type: string): void {
  const navigate = useNavigate();
  const { to, state } = useLastList(type);
  useHotkeys([['Escape', (event) => (isForOther(event) ? undefined : void navigate(to, { state }))]]);
}

/** What the key closes may be gone from the document by now, but it still holds what had the focus. Closed lists of choices are there, unseen. */
function isForOther({ target }: KeyboardEvent): boolean {
  const isOpen = [...document.querySelectorAll(open)].some((element) => element.checkVisibility());
  return isOpen || (target instanceof Element && target.closest(open) !== null);
}
