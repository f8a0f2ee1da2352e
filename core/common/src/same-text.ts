import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on where the texts differ. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
