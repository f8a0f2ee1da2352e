import { quoteIdentifier } from '@gantry/core-database';
import type { FieldDescriptor, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';

/** A new item, and the fields whose values were made from others. */
export interface NewValues {
  readonly values: StoredValues;
  readonly derived: readonly FieldDescriptor[];
}

/** A value that was made, and is part of a key. */
export interface DerivedKey {
  readonly field: FieldDescriptor;
  /** The other fields of the key. */
  readonly others: readonly FieldDescriptor[];
}

/** Runs a statement in the transaction of the write. @returns the column `value` of its rows */
export type ReadValues = (sql: string, bind: readonly unknown[]) => Promise<readonly string[]>;

/** Alternatives that are looked at: so many at first, and then at most. */
const windows = [20, 1_000, 10_000] as const;

/** The keys of the type that made values are part of. @param type all of it, whatever a policy shows */
export function derivedKeys(type: ItemTypeDescriptor, derived: readonly FieldDescriptor[]): readonly DerivedKey[] {
  return derived
    .filter(({ kind }) => kind.derivation?.alternative !== undefined)
    .flatMap((field) =>
      type.unique
        .filter((names) => names.includes(field.name))
        .map((names) => ({
          field,
          others: type.fields.filter(({ name }) => name !== field.name && names.includes(name)),
        })),
    );
}

/** Whether what collided is one of these keys, so that another alternative is free. */
export function isKeyTaken(keys: readonly DerivedKey[], paths: readonly string[]): boolean {
  return keys.some(({ field, others }) => {
    const names = [field, ...others].map(({ name }) => name);
    return paths.length > 0 && paths.every((path) => names.includes(path));
  });
}

/** Gives each new item values that no item has, nor another one of these. */
export async function takeFreeValues(
  type: ItemTypeDescriptor,
  items: readonly NewValues[],
  read: ReadValues,
): Promise<readonly StoredValues[]> {
  const rows = items.map(({ values }) => new Map(values));
  for (const name of new Set(items.flatMap(({ derived }) => derived.map((field) => field.name)))) {
    const made = items.flatMap(({ derived }, index) => (derived.some((field) => field.name === name) ? [index] : []));
    const fields = type.fields.filter((field) => field.name === name);
    for (const key of derivedKeys(type, fields)) await takeFreeOf(type, key, { rows, made, read });
  }
  return rows;
}

interface Rows {
  readonly rows: readonly Map<string, StoredValue>[];
  /** Positions of those whose value of the field was made. */
  readonly made: readonly number[];
  readonly read: ReadValues;
}

async function takeFreeOf(type: ItemTypeDescriptor, key: DerivedKey, { rows, made, read }: Rows): Promise<void> {
  const { field } = key;
  const isMade = new Set(made);
  // Values that the file gives are taken, on whichever line.
  const taken = new Set(
    rows.filter((_row, index) => !isMade.has(index)).map((row) => keyText(key, row, row.get(field.name))),
  );
  const stored = await storedRows(type, key, { rows, made, read });
  const freeAlternative = createAlternatives(type, key, read);
  for (const index of made) {
    const row = rows[index];
    if (row === undefined) continue;
    const isTaken = (value: StoredValue): boolean => taken.has(keyText(key, row, value));
    const value = row.get(field.name) ?? null;
    const isFree = !stored.has(index) && !isTaken(value);
    const own = isFree ? value : await freeAlternative(row, isTaken);
    row.set(field.name, own);
    taken.add(keyText(key, row, own));
  }
}

function keyText({ others }: DerivedKey, row: StoredValues, value: StoredValue | undefined): string {
  return JSON.stringify([value, ...others.map(({ name }) => row.get(name) ?? null)]);
}

/** Positions of the made values that items have. */
async function storedRows(
  type: ItemTypeDescriptor,
  { field, others }: DerivedKey,
  { rows, made, read }: Rows,
): Promise<ReadonlySet<number>> {
  const fields = [field, ...others];
  const arrays = fields.map((one, index) => `$${index + 1}::${one.kind.arrayType}`);
  const names = fields.map((_one, index) => `v${index}`);
  const matches = fields.map((one, index) => `t.${quoteIdentifier(one.column)} = u.v${index}`);
  const sql =
    `SELECT u.position::text AS value FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS u(${[...names, 'position'].join(', ')})` +
    ` JOIN ${quoteIdentifier(type.table)} t ON ${matches.join(' AND ')}`;
  const found = await read(
    sql,
    fields.map(({ name }) => made.map((index) => rows[index]?.get(name) ?? null)),
  );
  return new Set(found.map((position) => made[Number(position) - 1] ?? -1));
}

type FreeAlternative = (row: StoredValues, isTaken: (value: StoredValue) => boolean) => Promise<StoredValue>;

/** The alternatives of one value within the other fields of the key, of which the first ones are looked at. */
interface Alternatives {
  readonly values: readonly StoredValue[];
  /** Values that items have. */
  readonly used: ReadonlySet<string>;
  /** How many have been looked at with these. */
  readonly seen: number;
  /** Position of the next one. */
  next: number;
}

/** Gives the first alternative that is free, and the next one when it is asked again; the value itself where none is, which will be refused. */
function createAlternatives(type: ItemTypeDescriptor, key: DerivedKey, read: ReadValues): FreeAlternative {
  const { field, others } = key;
  const known = new Map<string, Alternatives>();
  const lookUp = async (
    value: StoredValue,
    scope: readonly StoredValue[],
    seen: number,
  ): Promise<Alternatives | undefined> => {
    const last = windows.find((window) => window > seen);
    if (last === undefined) return undefined;
    const values = Array.from(
      { length: last - seen },
      (_, index) => field.kind.derivation?.alternative?.(value, seen + index + 2, field) ?? value,
    );
    return { values, used: new Set(await read(takenStatement(type, key), [values, ...scope])), seen: last, next: 0 };
  };
  return async (row, isTaken) => {
    const value = row.get(field.name) ?? null;
    const scope = others.map(({ name }) => row.get(name) ?? null);
    // A key without one of its parts has no equal.
    if (value === null || scope.includes(null)) return value;
    const text = keyText(key, row, value);
    let seen = 0;
    for (;;) {
      const alternatives = known.get(text) ?? (await lookUp(value, scope, seen));
      if (alternatives === undefined) return value;
      known.set(text, alternatives);
      while (alternatives.next < alternatives.values.length) {
        const candidate = alternatives.values[alternatives.next] ?? null;
        alternatives.next += 1;
        if (!isTaken(candidate) && !alternatives.used.has(String(candidate))) return candidate;
      }
      known.delete(text);
      seen = alternatives.seen;
    }
  };
}

/** Parameters: candidates, values of the other fields of the key. */
function takenStatement({ table }: ItemTypeDescriptor, { field, others }: DerivedKey): string {
  const column = `t.${quoteIdentifier(field.column)}`;
  const scope = others.map(
    (other, index) => ` AND t.${quoteIdentifier(other.column)} = $${index + 2}::${other.columnType}`,
  );
  return `SELECT ${column}::text AS value FROM ${quoteIdentifier(table)} t WHERE ${column} = ANY($1::${field.kind.arrayType})${scope.join('')}`;
}

/** The names of the locks under which the values of a new item are looked for: one item after another takes the same value. */
export function lockNames(
  type: ItemTypeDescriptor,
  values: StoredValues,
  keys: readonly DerivedKey[],
): readonly string[] {
  return keys
    .map(({ field, others }) =>
      JSON.stringify([
        type.table,
        field.name,
        values.get(field.name),
        others.map(({ name }) => values.get(name) ?? null),
      ]),
    )
    .toSorted();
}

/** Parameters: names of locks. */
export const lockStatement =
  'SELECT pg_advisory_xact_lock(hashtextextended(name, 0))::text AS value FROM unnest($1::text[]) AS name';
