import type { FieldProps, FieldValue } from '@gantry/ui';
import { useState } from 'react';

/**
 * The parts of a value whose text is JSON, as its controls hold them. What is typed, such as a last zero or a row that is not
 * filled yet, stays while the form has the same value.
 * @param read gives the parts of a text; `before` are those that were shown until now
 * @param write gives the text of the parts
 */
export function useParts<P>(
  { value, onChange }: Pick<FieldProps, 'value' | 'onChange'>,
  read: (value: FieldValue, before: P | undefined) => P,
  write: (parts: P) => string,
): { readonly parts: P; change(next: P): void } {
  const [state, setState] = useState(() => ({ value, parts: read(value, undefined) }));
  let { parts } = state;
  if (state.value !== value) {
    parts = read(value, parts);
    setState({ value, parts });
  }
  const change = (next: P): void => {
    const text = write(next);
    setState({ value: text, parts: next });
    onChange(text);
  };
  return { parts, change };
}
