import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';

/** What takes Escape for itself while it is open. */
const open = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape outside of an input leads to another page, after a question if something is unsaved. */
export function useLeaveKey(to: string): void {
  const navigate = useNavigate();
  useHotkeys([['Escape', () => (document.querySelector(open) === null ? void navigate(to) : undefined)]]);
}
