import type { FormField } from '@gantry/contracts';
import type { Item, Reference, FormValue } from '../../api/items';
import { kindOf } from '../kinds/registry';

export type FormValues = Readonly<Record<string, FormValue>>;

/** The values of a new item: the declared defaults. */
export function newValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, kindOf(field.type).formValue(field.default)]));
}

/** The values of a stored item. */
export function storedValues(fields: readonly FormField[], item: Item): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, kindOf(field.type).formValue(item.values[field.name])]));
}

/** What the form of a new item holds for the fields that a value is made from; undefined where it is not. */
export function sourcesOf({ derivedFrom }: FormField, values: FormValues): FormValues | undefined {
  return derivedFrom && Object.fromEntries(derivedFrom.map((name) => [name, values[name] ?? '']));
}

export function isSameValue(left: FormValue | undefined, right: FormValue | undefined): boolean {
  return JSON.stringify(idsOnly(left)) === JSON.stringify(idsOnly(right));
}

export function changedFields(fields: readonly FormField[], before: FormValues, now: FormValues): readonly FormField[] {
  return fields.filter(({ name }) => !isSameValue(before[name], now[name]));
}

/** The payload of a write. */
export function payloadOf(fields: readonly FormField[], values: FormValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, payloadValue(field, values[field.name])]));
}

function payloadValue(field: FormField, value: FormValue | undefined): unknown {
  return value === undefined ? null : kindOf(field.type).payloadValue(value, field);
}

function idsOnly(value: FormValue | undefined): unknown {
  return Array.isArray(value) ? (value as readonly Reference[]).map(({ id }) => id) : value;
}
