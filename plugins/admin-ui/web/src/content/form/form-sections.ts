import type { FormField } from '@gantry/contracts';
import { hasWords } from '../../common/has-words';
import { imageKind } from '../kinds/image';

export interface FormSections {
  readonly main: readonly FormField[];
  /** Choices and images: what one looks at beside the content. */
  readonly rail: readonly FormField[];
}

/** Divides the fields of a page's form between its main column and the rail at its side. */
export function divideFields(fields: readonly FormField[]): FormSections {
  const isInRail = ({ type, options }: FormField): boolean => options !== undefined || type === imageKind.type;
  const main = fields.filter((field) => !isInRail(field));
  // A form of nothing else needs no rail.
  return main.length === 0 ? { main: fields, rail: [] } : { main, rail: fields.filter(isInRail) };
}

/** From so many fields on, a form has a search for them. */
const searchedFrom = 21;

export function hasFieldSearch(fields: readonly FormField[]): boolean {
  return fields.length >= searchedFrom;
}

/** Whether a field has all words of a search in its label or name. */
export function matchesSearch({ displayName, name }: FormField, search: string): boolean {
  return hasWords(`${displayName} ${name}`, search);
}
