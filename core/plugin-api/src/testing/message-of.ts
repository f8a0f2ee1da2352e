/** By shape: test frameworks run this code in a separate realm, whose Error is not that of Node. */
export function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
