import { documentText, parseDocument } from './platform/document';
import { numberText, toJson } from './json';
import { referencesIn, type Item } from './items';

/** Extra fields of other plugins, whose names have a `$`, are no labels. */
const labelKey = /^[^$]*(?:name|title|code)[^$]*$/i;

/** Rules of a type for labels. */
export interface LabelRule {
  readonly labelField?: string;
}

/**
 * The label of an item: the first value whose key contains name, title or code, otherwise the id (specification, section 4.5).
 * @param type where it may declare another field
 */
export function itemLabel(item: Item, { labelField }: LabelRule = {}): string {
  if (labelField === undefined) return labelTexts(item)[0] ?? item.id;
  const text = labelText(item.values[labelField]);
  return text.trim() === '' ? item.id : text;
}

/** Name of an item beside the name of its type: the value of the heading that the type declares, or its label. */
export function itemName(item: Item, type: LabelRule & { readonly heading?: string } = {}): string {
  const text = type.heading === undefined ? '' : labelText(item.values[type.heading]).trim();
  return text === '' ? itemLabel(item, type) : text;
}

/** Second value that distinguishes an item from its neighbours. */
export function itemSubLabel(item: Item): string | undefined {
  return labelTexts(item)[1];
}

function labelTexts(item: Item): readonly string[] {
  return Object.entries(item.values)
    .filter(([key]) => labelKey.test(key))
    .map(([, value]) => labelText(value))
    .filter((text) => text.trim() !== '');
}

export function isLabelField(name: string): boolean {
  return labelKey.test(name);
}

/** A value as part of the name of an item: of a structured document, its text. */
export function labelText(value: unknown): string {
  if (typeof value === 'string' || parseDocument(value) === undefined) return shortText(value);
  return documentText(value, maxLabel).replaceAll(/\s+/g, ' ');
}

/** As much as pages show of a name. */
const maxLabel = 200;

/** Any value as one line of text. */
export function shortText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const number = numberText(value);
  if (number !== undefined) return number;
  const references = referencesIn(value);
  if (references.length > 0) return references.map(({ label }) => label).join(', ');
  return Array.isArray(value) && value.length === 0 ? '' : toJson(value);
}
