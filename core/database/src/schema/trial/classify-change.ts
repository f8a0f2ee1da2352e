import type { TableState } from './table-states';

/** The effect of a statement on a table that has rows: `locking` keeps others waiting, `destructive` loses or changes values. */
export type EffectKind = 'locking' | 'destructive';

export interface Effect {
  readonly kind: EffectKind;
  /** Example: rewrites shop_item (about 1,000,000 rows): readers and writers wait (AccessExclusiveLock). */
  readonly text: string;
}

/** Of a table with rows. @param after undefined when it was removed @param command of the statement, as PostgreSQL reports it */
export function classifyChange(
  before: TableState,
  after: TableState | undefined,
  rows: number,
  command: string,
): readonly Effect[] {
  const effects = findLosses(before, after, rows, command);
  // Removing all rows makes a new file, too.
  if (after === undefined || command === 'TRUNCATE') return effects;
  return [...effects, ...waits(before, after, rows).map((text): Effect => ({ kind: 'locking', text }))];
}

/** Losses for earlier code: tables, columns, names and values. */
export function findLosses(
  before: TableState,
  after: TableState | undefined,
  rows: number,
  command: string,
): readonly Effect[] {
  const size = sizeOf(before, rows);
  if (after === undefined) return [destructive(`removes the table ${size}`)];
  return [
    ...columnEffects(before, after, rows),
    ...(writesRows(before, after, command) ? [destructive(`changes or deletes rows of ${size}`)] : []),
    ...(after.name === before.name ? [] : [renamed(before.name, after.name)]),
  ];
}

function sizeOf({ name }: TableState, rows: number): string {
  return `${name} (about ${rows.toLocaleString('en')} row${rows === 1 ? '' : 's'})`;
}

function columnEffects(before: TableState, after: TableState, rows: number): readonly Effect[] {
  return Object.entries(before.columns).flatMap(([number, [name, type, , isGenerated]]) => {
    const now = after.columns[number];
    const column = `${before.name}.${name}`;
    const removed = `removes the column ${column} with about ${rows.toLocaleString('en')} values`;
    // Its values are made again.
    if (isGenerated) return [];
    if (now === undefined) return [destructive(removed)];
    const isRetyped = now[1] !== type && after.file !== before.file;
    return [
      ...(now[0] === name ? [] : [renamed(column, now[0])]),
      ...(isRetyped ? [destructive(`changes the type of ${column} from ${type} to ${now[1]}`)] : []),
    ];
  });
}

/** A statement that only inserts takes the same lock as one that deletes. */
function writesRows(before: TableState, after: TableState, command: string): boolean {
  if (command === 'TRUNCATE') return after.file !== before.file;
  const isNew = holdsRowLock(after.locks) && !holdsRowLock(before.locks);
  return (
    command !== 'INSERT' && (isNew || (['DELETE', 'UPDATE', 'MERGE'].includes(command) && holdsRowLock(after.locks)))
  );
}

/** The lock of INSERT, UPDATE and DELETE. */
export function holdsRowLock(locks: readonly string[]): boolean {
  return locks.includes('RowExclusiveLock');
}

/** Work on the whole table under a lock that conflicts with writers. */
function waits(before: TableState, after: TableState, rows: number): readonly string[] {
  const lock = locksAgainstWriters.find((mode) => after.locks.includes(mode));
  if (lock === undefined) return [];
  const isRewritten = after.file !== before.file;
  // An index of a table that is rewritten is written with it.
  const isIndexed = !isRewritten && after.indexes.some((index) => !before.indexes.includes(index));
  const isRead =
    after.constraints.some((constraint) => !before.constraints.includes(constraint)) ||
    Object.entries(after.columns).some(
      ([number, [, , isRequired]]) => isRequired && before.columns[number]?.[2] === false,
    );
  const who = lock === 'AccessExclusiveLock' ? 'readers and writers wait' : 'writers wait';
  const size = sizeOf(before, rows);
  return [
    ...(isRewritten ? [`rewrites ${size}`] : []),
    ...(isIndexed ? [`builds an index of ${size}`] : []),
    ...(isRead ? [`reads all of ${size}`] : []),
  ].map((work) => `${work}: ${who} (${lock})`);
}

/** The strongest first. */
const locksAgainstWriters = ['AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'];

function destructive(text: string): Effect {
  return { kind: 'destructive', text };
}

function renamed(from: string, to: string): Effect {
  return {
    kind: 'locking',
    text: `renames ${from} to ${to}: the version before fails on it until the next one serves`,
  };
}
