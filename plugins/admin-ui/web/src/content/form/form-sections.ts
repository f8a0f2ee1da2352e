import type { FieldWidth, FormField } from '@gantry/contracts';
import { hasWords } from '../../common/has-words';
import { imageKind } from '../kinds/image';
import { kindOf } from '../kinds/registry';

export interface FormColumns {
  readonly main: readonly FormField[];
  /** Images without a section, tab and width: what one looks at beside the content. */
  readonly rail: readonly FormField[];
}

/** Fields under one heading. */
export interface FormSection {
  /** Undefined for the fields that declare no section, which come first. */
  readonly heading: string | undefined;
  readonly fields: readonly FormField[];
}

/** A part of a form that is shown while it is chosen. */
export interface FormTab {
  readonly name: string;
  /** Among all tabs of the form, also those of which nothing is in sight. */
  readonly index: number;
  readonly fields: readonly FormField[];
}

/** The tabs that the fields declare, in the order in which they are first named. */
export function tabsOf(fields: readonly FormField[]): readonly FormTab[] {
  const names = [...new Set(fields.flatMap(({ tab }) => (tab === undefined ? [] : [tab])))];
  return names.map((name, index) => ({ name, index, fields: fields.filter(({ tab }) => tab === name) }));
}

/** Groups fields by their declared section, in the order in which the sections are first named. */
export function sectionsOf(fields: readonly FormField[]): readonly FormSection[] {
  const headings = new Set(fields.map(({ section }) => section));
  const ordered = headings.delete(undefined) ? [undefined, ...headings] : [...headings];
  return ordered.map((heading) => ({ heading, fields: fields.filter(({ section }) => section === heading) }));
}

/** Divides the fields of a page's form between its main column and the rail at its side. */
export function divideFields(fields: readonly FormField[]): FormColumns {
  const isInRail = ({ type, section, tab, width }: FormField): boolean =>
    (section ?? tab ?? width) === undefined && type === imageKind.type;
  const main = fields.filter((field) => !isInRail(field));
  // A form of nothing else needs no rail.
  return main.length === 0 ? { main: fields, rail: [] } : { main, rail: fields.filter(isInRail) };
}

/** How much of the width of a form a field takes: as it declares, else half of it where its values are short. */
export function widthOf(field: FormField): FieldWidth {
  return field.width ?? (isShort(field) ? 'half' : 'full');
}

function isShort({ type, options, multiple, referenceCardinality }: FormField): boolean {
  const isList = multiple === true || referenceCardinality === 'MULTIPLE';
  return !isList && (options !== undefined || kindOf(type).isShort);
}

/** Whether fields take so little room that something else has its place below them. */
export function isShortForm(fields: readonly FormField[]): boolean {
  return fields.length <= 10 && fields.every((field) => widthOf(field) !== 'full');
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
