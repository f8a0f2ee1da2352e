import type { ClientBase } from 'pg';

export type ByTable<T> = ReadonlyMap<string, readonly T[]>;

/** Rows as arrays, in the order of the columns. */
export async function readRows<R extends unknown[]>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<readonly R[]> {
  const result = await client.query<R>({ text, values: [...values], rowMode: 'array' });
  return result.rows;
}

/** What the rows describe, by the table that they are of. */
export function grouped<R, T extends { readonly table: string }>(
  rows: readonly R[],
  describe: (row: R) => T,
): ByTable<T> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const value = describe(row);
    const group = groups.get(value.table);
    if (group === undefined) groups.set(value.table, [value]);
    else group.push(value);
  }
  return groups;
}
