import { comparePositions, type Position } from '@gantry/core-database';

/** Whether a position is behind another one in the change feed. */
export function isAfter(one: Position, other: Position): boolean {
  return comparePositions(one, other) > 0;
}

export function isSamePosition(one: Position, other: Position): boolean {
  return one.every((part, index) => part === other[index]);
}
