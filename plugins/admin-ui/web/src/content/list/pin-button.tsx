import { ActionIcon } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { useFavourites } from '../../api/preferences';
import { StarIcon } from '../../ui/icons';
import { notifyNotStored } from '../../ui/notify-not-stored';

/** Puts a type among the favourites of the navigation, or takes it away. */
export function PinButton({ metadata: { code, displayName } }: { readonly metadata: ItemMetadata }) {
  const favourites = useFavourites();
  const pinned = favourites.value?.types.includes(code) === true;
  const [busy, setBusy] = useState(false);
  const toggle = async (): Promise<void> => {
    // Until it is stored, the button still says what it said before.
    if (busy) return;
    setBusy(true);
    try {
      await favourites.change((stored) => {
        const others = (stored?.types ?? []).filter((type) => type !== code);
        const types = pinned ? others : [...others, code];
        return types.length === 0 ? undefined : { types };
      });
    } catch (error) {
      notifyNotStored(error);
    } finally {
      setBusy(false);
    }
  };
  const label = `Favourite: show ${displayName} at the top of the navigation`;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      title={pinned ? 'Remove from the favourites' : 'Add to the favourites'}
      aria-label={label}
      aria-pressed={pinned}
      onClick={() => void toggle()}
    >
      <StarIcon fill={pinned ? 'currentColor' : 'none'} />
    </ActionIcon>
  );
}
