/** The address of a link that may be followed; a script is none. */
export function safeAddress(address: unknown): string | undefined {
  if (typeof address !== 'string' || /[\u0000-\u0020\u007f-\u00a0\\\p{Cf}\p{Cs}\p{Z}]/u.test(address)) return undefined;
  return /^(?:https?:\/\/[^/?#]|mailto:[^@/?#]+@[^@/?#])/i.test(address) ? address : undefined;
}
