import { parseOrderId } from '@gantry/contracts';
import { invalidValue } from '@gantry/plugin-api';

/** @throws GantryError VALIDATION_FAILED */
export function orderIdOf(value: unknown): string {
  const parsed = parseOrderId(value);
  if (parsed.ok) return parsed.orderId;
  throw invalidValue('orderId', parsed.message, 'ORDER_ID_INVALID');
}
