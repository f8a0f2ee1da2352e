import { ActionIcon } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { StarIcon } from '../../../ui/icons';
import { usePin } from './use-pin';

/** Puts a type among the favourites of the navigation, or takes it away; where it has no room, the menu of the list does. */
export function PinButton({ metadata }: { readonly metadata: ItemMetadata }) {
  const { isPinned, text, toggle } = usePin(metadata);
  return (
    <ActionIcon
      className="only-wide"
      variant="subtle"
      color="gray"
      size="lg"
      title={text}
      aria-label={`Favourite: show ${metadata.displayName} at the top of the navigation`}
      aria-pressed={isPinned}
      onClick={toggle}
    >
      <StarIcon fill={isPinned ? 'currentColor' : 'none'} />
    </ActionIcon>
  );
}
