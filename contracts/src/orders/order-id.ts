/**
 * The form of an order id: 1 to 64 of `A-Z a-z 0-9 . _ -`, but not `.` or `..`, which have a
 * special meaning in a path.
 * @public
 */
export const orderIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** An order id, or what is wrong with what was given. @public */
export type ParsedOrderId =
  | { readonly ok: true; readonly orderId: string }
  | { readonly ok: false; readonly message: string };

/** Checks whether an input value is an order id, and if not, describes the problem in a sentence. @public */
export function parseOrderId(value: unknown): ParsedOrderId {
  if (value === undefined || value === null) return refuse('is missing');
  if (typeof value !== 'string') {
    return refuse(`must be text, found ${kindOf(value)}`);
  }
  if (value === '') return refuse('is empty');
  if (value.length > 64) return refuse(`has ${value.length} characters, more than the 64 allowed`);
  if (value === '.' || value === '..') return refuse('has a special meaning in a path');
  if (!orderIdPattern.test(value)) return refuse('has a character that is not allowed');
  return { ok: true, orderId: value };
}

/** The id of the parent workflow of an order. @public */
export function orderWorkflowId(orderId: string): string {
  return `order-${orderId}`;
}

/** The id of the child workflow of an order; being fixed, it keeps one order from having two parcels under way. @public */
export function consignmentWorkflowId(orderId: string): string {
  return `consignment-${orderId}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function refuse(problem: string): ParsedOrderId {
  return { ok: false, message: `orderId ${problem}; expected 1 to 64 letters, digits, dots, underscores or hyphens` };
}
