import { refusedParameter } from '@gantry/core-content';
import { storedText } from '@gantry/core-common';

const filterText = storedText(254);

/** A query parameter that stored text is compared with. @throws GantryError BAD_REQUEST */
export function parseText(name: string, text: string): string {
  const parsed = filterText.safeParse(text);
  if (parsed.success) return parsed.data;
  const code = text.length > 254 ? 'TOO_LONG' : 'VALUE_INVALID';
  throw refusedParameter(name, code, 'text of at most 254 characters, without NUL characters', text);
}
