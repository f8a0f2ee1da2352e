import { invalidParameter, type GantryError } from '@gantry/plugin-api';
import type { DetailCode } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { labelFieldsOf } from '../compile/label-fields';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { readId } from '../kinds/reference';
import { normalizeSearch } from '../kinds/text-characters';
import { idField, type BoundCriterion } from './criteria';

/** The text that a person typed into a search. */
export interface SearchText {
  /** In NFC, without blanks at its ends. */
  readonly text: string;
  /** The id that the text may be. */
  readonly id: string | undefined;
  /** Too short for the trigram index: such a text matches only the beginning of a code or label. */
  readonly isShort: boolean;
}

/** Characters of a search text at most. */
export const maxSearchText = 200;

/** Fewer characters have no trigram. */
const minTrigram = 3;

/** Codes and labels of several fields are separated by one of them. */
const control = /\p{Cc}/u;

/** Reads the parameter `q`. @throws GantryError BAD_REQUEST */
export function parseSearchText(q: string): SearchText {
  const length = q.length > 2 * maxSearchText ? q.length : Array.from(q).length;
  if (length > maxSearchText) {
    throw refused(
      'TOO_LONG',
      `must have at most ${maxSearchText} characters; ${length} were sent. Send a shorter text`,
    );
  }
  const text = q.trim();
  if (text === '') throw refused('REQUIRED', 'must not be blank. Send a text, or omit it');
  if (control.test(q)) throw refused('CHARACTER', `must not contain control characters; "${truncate(text)}" was sent`);
  const normalized = normalizeSearch(text);
  if (!normalized.ok) throw refused('CHARACTER', normalized.message);
  const id = readId(text);
  return {
    text: normalized.value,
    id: id.ok ? id.value : undefined,
    isShort: Array.from(normalized.value).length < minTrigram,
  };
}

/** Reads the parameter `q` of a request that is nothing without it. @throws GantryError BAD_REQUEST */
export function parseRequiredSearchText(q = ''): SearchText {
  if (q.trim() === '') throw refused('REQUIRED', 'is required and must not be blank. Send the text to search for');
  return parseSearchText(q);
}

function refused(code: DetailCode, problem: string): GantryError {
  return invalidParameter('q', `The parameter q ${problem}`, code);
}

/** The criterion that an item is found by the text: by its id, or by one of its label fields that are visible. */
export function searchTextCriterion(type: ItemTypeDescriptor, { text, id, isShort }: SearchText): BoundCriterion {
  const matches = isShort ? 'BEGINS' : 'HAS';
  return {
    field: textField,
    operator: id === undefined ? matches : `${matches}_OR_ID`,
    value: text,
    searched: labelFieldsOf(type),
  };
}

/** A field that is none of the type, so that neither statistics nor an index are taken for it. */
const textField: FieldDescriptor = Object.freeze({ ...idField, name: 'q', displayName: 'Search text', column: '' });
