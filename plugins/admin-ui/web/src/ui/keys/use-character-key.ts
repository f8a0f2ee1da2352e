import { useWindowEvent } from '@mantine/hooks';
import { hasCharacterKeys } from './character-keys';
import { isTyping } from './is-typing';

/**
 * Calls back when a key that writes this character is pressed outside of inputs, unless such keys are switched off. Keyboard layouts differ in where it is and in
 * whether it needs Shift, which the library's `useHotkeys` compares.
 */
export function useCharacterKey(character: string, onPress: () => void): void {
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== character || ctrlKey || metaKey || altKey || isTyping(target) || !hasCharacterKeys()) return;
    event.preventDefault();
    onPress();
  });
}
