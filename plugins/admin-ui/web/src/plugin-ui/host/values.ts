import type { ItemMetadata } from '@gantry/contracts';
import type { Item as GivenItem, NewValues, Value } from '@gantry/ui';
import { referencesIn, type Item } from '../../api/items';
import { numberText } from '../../api/json';

/** An item as plugins get it: no types of ours in its values. */
export function givenItem(item: Item): GivenItem {
  return {
    id: item.id,
    values: Object.fromEntries(Object.entries(item.values).map(([key, value]) => [key, givenValue(value)])),
  };
}

export function givenValue(value: unknown): Value | undefined {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const digits = numberText(value);
  if (digits !== undefined) return plainNumber(digits);
  const references = referencesIn(value);
  if (Array.isArray(value) && references.length === value.length) return references;
  return references[0] ?? JSON.stringify(plainJson(value));
}

/** Any JSON with plain numbers in it; those that JavaScript would round stay text. */
export function plainJson(value: unknown): unknown {
  const digits = numberText(value);
  if (digits !== undefined) return plainNumber(digits);
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}

/** A value that the pages of a plugin gave for a field of the type, as the payload of a write has it. */
export type PayloadValue = (type: string, value: NewValues[string]) => unknown;

/** The payload of a write: ids of references and numbers that came as text become numbers, with all their digits. */
export function payloadOf(
  { fields }: ItemMetadata,
  values: NewValues,
  payloadValue: PayloadValue,
): Readonly<Record<string, unknown>> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, payloadValue(byName.get(name)?.type ?? '', value)]),
  );
}

/** Up to fifteen digits are kept by a JavaScript number, whatever their place. */
function plainNumber(digits: string): number | string {
  const significant = digits.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return significant.length <= 15 || Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}
