import type { DeliveredAction, ItemChange, WebhookCondition } from '@gantry/contracts';

/** Which changes a webhook gets. */
export interface WebhookSelection {
  /** Type codes; empty for all. */
  readonly types: readonly string[];
  /** Empty for all. */
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly WebhookCondition[];
}

/** Whether a change is one that the webhook is about. The filter may hold for the values before the change or for those after it. */
export function isSelected({ types, actions, filter }: WebhookSelection, change: ItemChange): boolean {
  const { type, action, values = {}, previous = {} } = change;
  if (types.length > 0 && !types.includes(type)) return false;
  if (actions.length > 0 && !actions.some((wanted) => wanted === action)) return false;
  const before = { ...values, ...previous };
  return [values, before].some((state) => filter.every((condition) => holds(condition, state)));
}

function holds({ field, operator, value }: WebhookCondition, state: Readonly<Record<string, unknown>>): boolean {
  const isEqual = textsOf(state[field]).includes(value);
  return operator === 'EQUALS' ? isEqual : !isEqual;
}

/** A value as text; of a reference, its id; of a list, each of them. */
function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [''];
  if (Array.isArray(value)) return value.length === 0 ? [''] : value.flatMap(textsOf);
  if (typeof value === 'object') return 'id' in value ? textsOf(value.id) : [JSON.stringify(value)];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
