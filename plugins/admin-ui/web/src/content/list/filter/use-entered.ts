import { useState } from 'react';

/**
 * Text that was entered for a criterion, also if it is no value yet, as long as the criterion has the value that was made from it.
 * @param read gives the text of another value
 */
export function useEntered<E>(
  value: string,
  read: (value: string) => E,
  onChange: (value: string) => void,
): readonly [E, (entered: E, text: string) => void] {
  const [state, setState] = useState(() => ({ value, entered: read(value) }));
  const entered = state.value === value ? state.entered : read(value);
  const enter = (next: E, text: string): void => {
    setState({ value: text, entered: next });
    onChange(text);
  };
  return [entered, enter];
}
