import type { FieldWidth, FormField, ItemMetadata } from '@gantry/contracts';
import { isLabelField } from '../../../api/label';
import { hasWords } from '../../../common/has-words';
import { kindOf } from '../../kinds/registry';

export interface FormColumns {
  readonly main: readonly FormField[];
  /** Images without a section, tab and width: what one looks at beside the content. */
  readonly images: readonly FormField[];
  /** Choices that are states, unless their section has other fields, too. */
  readonly states: readonly FormField[];
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
  const images = fields.filter(
    ({ type, section, tab, width }) => (section ?? tab ?? width) === undefined && kindOf(type).isImage,
  );
  const states = fields.filter(
    (field) => isState(field) && (field.section === undefined || isAmongStates(field.section, fields)),
  );
  const main = fields.filter((field) => !images.includes(field) && !states.includes(field));
  // A form of nothing else needs no rail.
  return main.length === 0 ? { main: fields, images: [], states: [] } : { main, images, states };
}

function isState({ optionColors, multiple, tab, width }: FormField): boolean {
  return optionColors !== undefined && multiple !== true && (tab ?? width) === undefined;
}

function isAmongStates(section: string, fields: readonly FormField[]): boolean {
  return fields.every((field) => field.section !== section || isState(field));
}

/** The field that names an item, in front of all others; a text without a section, tab or width in the form. */
export function headFieldOf({
  heading,
  labelField,
  fields,
}: Pick<ItemMetadata, 'heading' | 'labelField' | 'fields'>): FormField | undefined {
  const name = heading ?? labelField ?? fields.find((field) => isLabelField(field.name))?.name;
  const field = fields.find((one) => one.name === name);
  if (field === undefined || kindOf(field.type).isLine !== true) return undefined;
  return (field.options ?? field.section ?? field.tab ?? field.width) === undefined ? field : undefined;
}

/** How much of the width of a form a field takes: as it declares, else half of it where its values are short. */
export function widthOf(field: FormField): FieldWidth {
  return field.width ?? (isShort(field) ? 'half' : 'full');
}

/**
 * The widths of fields that follow one another, by name: the last three of an odd number of short ones share a line, so that none is
 * alone in it. The field that names the item has a whole line, unless one short field follows.
 */
export function widthsOf(fields: readonly FormField[], head: string | undefined): ReadonlyMap<string, FieldWidth> {
  const widths = new Map(fields.map((field) => [field.name, widthOf(field)]));
  const isInRun = (field: FormField | undefined): boolean =>
    field !== undefined && field.width === undefined && widths.get(field.name) === 'half';
  if (head !== undefined && fields[0]?.name === head && (!isInRun(fields[1]) || isInRun(fields[2]))) {
    widths.set(head, 'full');
  }
  for (const run of runsOf(fields, isInRun)) {
    if (run.length > 1 && run.length % 2 === 1) for (const { name } of run.slice(-3)) widths.set(name, 'third');
  }
  return widths;
}

/** The longest parts of a list of which every entry is so. */
function runsOf<T>(all: readonly T[], isInRun: (one: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [[]];
  for (const one of all) {
    if (isInRun(one)) runs.at(-1)?.push(one);
    else runs.push([]);
  }
  return runs;
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
