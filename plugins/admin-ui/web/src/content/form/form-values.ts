import type { FormField } from '@gantry/contracts';
import { LosslessNumber } from 'lossless-json';
import { referencesIn, type Item, type Reference } from '../../api/items';
import { numberText, toNumber } from '../../api/json';
import { shortText } from '../label';
import { plainNumber } from '../list/number-digits';

/** What a control holds: text (numbers too, so that no digit is lost), a tick, or references in order. */
export type FormValue = string | boolean | readonly Reference[];

export type FormValues = Readonly<Record<string, FormValue>>;

/** The values of a new item: the declared defaults. */
export function newValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, formValue(field, field.default)]));
}

/** The values of a stored item. */
export function storedValues(fields: readonly FormField[], item: Item): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, formValue(field, item.values[field.name])]));
}

export function isSameValue(left: FormValue | undefined, right: FormValue | undefined): boolean {
  return JSON.stringify(idsOnly(left)) === JSON.stringify(idsOnly(right));
}

export function changedFields(fields: readonly FormField[], before: FormValues, now: FormValues): readonly FormField[] {
  return fields.filter(({ name }) => !isSameValue(before[name], now[name]));
}

/** The payload of a write: raw ids for references, numbers with all their digits, null for what is empty (specification, section 4). */
export function payloadOf(fields: readonly FormField[], values: FormValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, payloadValue(field, values[field.name])]));
}

function formValue(field: FormField, value: unknown): FormValue {
  switch (field.type) {
    case 'BOOLEAN':
      return value === true;
    case 'REFERENCE':
      return referencesIn(value);
    case 'NUMBER':
      return plainNumber(numberText(value) ?? shortText(value));
    default:
      return shortText(value);
  }
}

function payloadValue(field: FormField, value: FormValue | undefined): unknown {
  if (Array.isArray(value)) {
    const ids = (value as readonly Reference[]).map(({ id }) => new LosslessNumber(id));
    return field.referenceCardinality === 'MULTIPLE' ? ids : (ids[0] ?? null);
  }
  if (typeof value !== 'string') return value ?? null;
  if (value === '') return null;
  return field.type === 'NUMBER' ? toNumber(value) : value;
}

function idsOnly(value: FormValue | undefined): unknown {
  return Array.isArray(value) ? (value as readonly Reference[]).map(({ id }) => id) : value;
}
