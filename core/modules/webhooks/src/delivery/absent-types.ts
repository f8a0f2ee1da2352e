import { comparePositions, formatPosition, parsePosition, type Position } from '@gantry/core-database';

/** Types in use, as a subscription reads them. */
export interface TypesInUse {
  /** The types of the subscription: codes by table. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Also of types that it is not about. */
  isInUse(table: string): boolean;
}

/** The stored state of the types of a subscription. */
export interface StoredTypes {
  /** Tables that were read up to the cursor. */
  readonly readTables: readonly string[];
  /** Positions by table of types that are not in use. */
  readonly absentTables: Readonly<Record<string, string>>;
}

/** Changes of a type that were not read while it was not in use. */
export interface MissedChanges {
  readonly table: string;
  readonly type: string;
  /** They are behind this position, up to the cursor. */
  readonly after: Position;
}

/**
 * Compares the types in use with those that were read before: changes of a type that is not in use are left out when the cursor passes
 * them, and are to be delivered when it is in use again.
 */
export function compareTypes(
  { readTables, absentTables }: StoredTypes,
  cursor: Position,
  { wanted, isInUse }: TypesInUse,
): StoredTypes & { readonly missed: readonly MissedChanges[] } {
  const absent = new Map(
    readTables.filter((table) => !isInUse(table)).map((table) => [table, formatPosition(cursor)] as const),
  );
  const missed: MissedChanges[] = [];
  for (const [table, text] of Object.entries(absentTables)) {
    const after = earlierOf(parsePosition('position', text), cursor);
    const type = wanted.get(table);
    if (type !== undefined) missed.push({ table, type, after });
    // A type that the subscription does not name any more is forgotten.
    else if (!isInUse(table)) absent.set(table, formatPosition(after));
  }
  return { readTables: [...wanted.keys()].toSorted(), absentTables: Object.fromEntries(absent), missed };
}

/** A replay moves the cursor back. */
function earlierOf(one: Position, other: Position): Position {
  return comparePositions(one, other) <= 0 ? one : other;
}
