import type { FormField } from '@gantry/contracts';
import type { Item, Reference, FormValue } from '../../../api/items';
import { kindOf } from '../../kinds/registry';

export type FormValues = Readonly<Record<string, FormValue>>;

/** The values of a new item: the declared defaults. */
export function newValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, kindOf(field.type).formValue(field.default, field)]));
}

/** The values of a stored item. */
export function storedValues(fields: readonly FormField[], item: Item): FormValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, kindOf(field.type).formValue(item.values[field.name], field)]),
  );
}

/**
 * Form values of fields that the control of another field needs: those from which the value of a new item is derived, or the address of the
 * image for a focal point; undefined for none.
 */
export function sourcesOf(
  { derivedFrom, focalPoint }: FormField,
  values: FormValues,
  stored: Item | undefined,
): FormValues | undefined {
  const image = focalPoint?.image;
  if (image !== undefined) {
    // A field that cannot be changed is none of the form.
    const address = values[image] ?? stored?.values[image];
    return { [image]: typeof address === 'string' ? address : '' };
  }
  if (derivedFrom === undefined || stored !== undefined) return undefined;
  return Object.fromEntries(derivedFrom.map((name) => [name, values[name] ?? '']));
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
