import type { ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { useFavourites } from '../../../api/platform/preferences';
import { notifyNotStored } from '../../../ui/text/notify-not-stored';

export interface Pin {
  readonly isPinned: boolean;
  /** Text of the action. */
  readonly text: string;
  toggle(): void;
}

/** Whether a type is among the favourites of the navigation. */
export function usePin({ code }: ItemMetadata): Pin {
  const favourites = useFavourites();
  const isPinned = favourites.value?.types.includes(code) === true;
  const [busy, setBusy] = useState(false);
  const toggle = async (): Promise<void> => {
    // Until it is stored, the button still says what it said before.
    if (busy) return;
    setBusy(true);
    try {
      await favourites.change((stored) => {
        const others = (stored?.types ?? []).filter((type) => type !== code);
        const types = isPinned ? others : [...others, code];
        return types.length === 0 ? undefined : { types };
      });
    } catch (error) {
      notifyNotStored(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    isPinned,
    text: isPinned ? 'Remove from the favourites' : 'Add to the favourites',
    toggle: () => void toggle(),
  };
}
