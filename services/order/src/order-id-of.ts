import { parseOrderId } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';

/** @throws GantryError VALIDATION_FAILED */
export function orderIdOf(value: unknown): string {
  const parsed = parseOrderId(value);
  if (parsed.ok) return parsed.orderId;
  throw new GantryError('VALIDATION_FAILED', parsed.message, {
    details: [{ path: 'orderId', code: 'ORDER_ID_INVALID', message: parsed.message }],
  });
}
