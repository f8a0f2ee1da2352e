import type { DeliveredAction, ItemChange } from '@gantry/contracts';
import { compareDecimals, parseDecimal } from '@gantry/core-common';
import type { WebhookCondition } from './webhook-schemas';

/** Which changes a webhook gets. */
export interface WebhookSelection {
  /** Type codes; empty for all. */
  readonly types: readonly string[];
  /** Empty for all. */
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly WebhookCondition[];
}

/** Whether a type in use has a field. */
export type HasField = (type: string, field: string) => boolean;

/**
 * Whether a change is one that the webhook is about. The filter may hold for the values before the change or for those after it. No
 * change of a type meets a condition on a field that the type does not have, such as one that was removed.
 */
export function isSelected(
  { types, actions, filter }: WebhookSelection,
  change: ItemChange,
  hasField: HasField,
): boolean {
  const { type, action, values = {}, previous = {} } = change;
  if (types.length > 0 && !types.includes(type)) return false;
  if (actions.length > 0 && !actions.some((wanted) => wanted === action)) return false;
  if (!filter.every(({ field }) => hasField(type, field))) return false;
  const before = { ...values, ...previous };
  return [values, before].some((state) => filter.every((condition) => holds(condition, state)));
}

/**
 * Fields of the filter that a type of the webhook does not have: its changes are not delivered.
 * @param types in use; those of the webhook
 */
export function fieldsNotInUse(
  { types: wanted, filter }: Pick<WebhookSelection, 'types' | 'filter'>,
  types: readonly string[],
  hasField: HasField,
): readonly string[] {
  const names = [...new Set(filter.map(({ field }) => field))];
  // A webhook for all types is meant for those that have the fields.
  return names.filter((field) =>
    wanted.length === 0 ? !types.some((type) => hasField(type, field)) : !types.every((type) => hasField(type, field)),
  );
}

function holds({ field, operator, value }: WebhookCondition, state: Readonly<Record<string, unknown>>): boolean {
  const isEqual = scalarsOf(state[field]).some((scalar) => isWrittenAs(scalar, value));
  return operator === 'EQUALS' ? isEqual : !isEqual;
}

/** Of a reference, its id; of a list, each of them; an empty text where there is no value. */
function scalarsOf(value: unknown): readonly (string | number)[] {
  if (value === null || value === undefined) return [''];
  if (Array.isArray(value)) return value.length === 0 ? [''] : value.flatMap(scalarsOf);
  if (typeof value === 'object') return 'id' in value ? scalarsOf(value.id) : [JSON.stringify(value)];
  return [typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)];
}

/** Numbers are equal by value: 24.9 is also written as 24.90. */
function isWrittenAs(scalar: string | number, text: string): boolean {
  if (typeof scalar === 'string') return scalar === text;
  const [left, right] = [parseDecimal(String(scalar)), parseDecimal(text)];
  return left !== undefined && right !== undefined && compareDecimals(left, right) === 0;
}
