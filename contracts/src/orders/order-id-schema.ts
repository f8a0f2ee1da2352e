import { orderIdPattern, parseOrderId } from './order-id';

/**
 * The schema of an object with an order id and anything else: the parameters of a path, a query, or a body (Standard Schema
 * and Standard JSON Schema, written out because this package has no dependency).
 * @public
 */
export const orderIdSchema = {
  '~standard': {
    version: 1,
    vendor: 'gantry',
    validate(value: unknown) {
      if (typeof value !== 'object' || value === null) return { issues: [{ message: 'must be an object' }] };
      const parsed = parseOrderId((value as { readonly orderId?: unknown }).orderId);
      if (parsed.ok) return { value: { orderId: parsed.orderId } };
      return { issues: [{ message: parsed.message, path: ['orderId'], params: { code: 'ORDER_ID_INVALID' } }] };
    },
    jsonSchema: {
      input: () => ({
        type: 'object',
        required: ['orderId'],
        properties: { orderId: { type: 'string', pattern: orderIdPattern.source, examples: ['1001'] } },
      }),
    },
  },
} as const;
