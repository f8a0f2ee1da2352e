import type { FieldValue } from '@gantry/ui';

/** The value of a text of JSON; undefined for an empty text and for one that is no JSON. */
export function jsonValue(text: FieldValue): unknown {
  try {
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
