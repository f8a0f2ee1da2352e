import type { Position } from '../content/changes/position';

/** Whether a position is behind another one in the change feed. */
export function isAfter(one: Position, other: Position): boolean {
  for (const part of [0, 1, 2] as const) {
    const difference = BigInt(one[part]) - BigInt(other[part]);
    if (difference !== 0n) return difference > 0n;
  }
  return false;
}

export function isSamePosition(one: Position, other: Position): boolean {
  return one.every((part, index) => part === other[index]);
}
