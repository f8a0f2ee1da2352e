import { truncate } from '@gantry/core-common';
import { invalidParameter } from '@gantry/plugin-api/errors';

/** A place in the change feed: epoch, transaction, sequence, each a whole number as text. */
export type Position = readonly [epoch: string, transaction: string, sequence: string];

export const firstPosition: Position = ['0', '0', '0'];

export function formatPosition(position: Position): string {
  return position.join('.');
}

/** @throws GantryError BAD_REQUEST naming the parameter */
export function parsePosition(parameter: string, text: string): Position {
  const parts = /^(\d{1,9})\.(\d{1,18})\.(\d{1,18})$/.exec(text);
  if (parts !== null) return [parts[1] ?? '', parts[2] ?? '', parts[3] ?? ''];
  const expected = 'a position of the change feed, such as 1.5012.88';
  throw invalidParameter(
    parameter,
    `The parameter ${parameter} must be ${expected}; "${truncate(text)}" was sent`,
    'PATTERN',
  );
}

/** Of a row of its three columns. */
export function positionOf(row: readonly unknown[]): Position {
  return [String(row[0]), String(row[1]), String(row[2])];
}

/** Negative where the first one is earlier. */
export function comparePositions(one: Position, other: Position): number {
  for (const [index, part] of one.entries()) {
    const [mine, theirs] = [BigInt(part), BigInt(other[index] ?? '0')];
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}
