import type { Client, QueryResult } from 'pg';
import { classifyChange, holdsRowLock, type Effect } from './classify-change';
import type { CopiedTable } from './copy-structure';
import { rowsOfTable, type CountRows } from '../failures/row-probes';
import { isFilledByTriggers, readTableStates, type TableState, type TableStates } from './table-states';

/** A statement that ran in the copy, with what it means to tables that have rows; nothing for a safe one. */
export interface ObservedStatement {
  readonly plugin: string;
  readonly statement: string;
  readonly effects: readonly Effect[];
}

/** Runs statements in the copy, each inside of a transaction, and finds out what they do to its tables. */
export interface StatementObserver {
  /** Rows of the last statement of the text. */
  run(plugin: string, statement: string, values?: readonly unknown[]): Promise<readonly object[]>;
  /**
   * Counts rows of the original tables, as far as those of the copy are as they were. Of a table that was changed or written to, it is only
   * known whether the original one has rows, whatever its name is in the copy now.
   */
  readonly count: CountRows;
  observed(): readonly ObservedStatement[];
}

/** @param countStored counts rows of the original tables */
export async function createObserver(
  client: Client,
  tables: readonly CopiedTable[],
  countStored: CountRows,
): Promise<StatementObserver> {
  const sizes = await sizesByOid(client, tables);
  const oids = [...sizes.keys()];
  const statements: ObservedStatement[] = [];
  const copied = await readTableStates(client, oids);
  const written = new Set<string>();
  return {
    async run(plugin, statement, values) {
      const before = await readTableStates(client, oids);
      const result = (await client.query(statement, values && [...values])) as QueryResult | readonly QueryResult[];
      const results = 'rows' in result ? [result] : result;
      const after = await readTableStates(client, oids);
      for (const [oid, { locks }] of after) if (holdsRowLock(locks)) written.add(oid);
      const effects = effectsOf(before, after, sizes, commandOf(results));
      statements.push({ plugin, statement, effects });
      return (results.at(-1)?.rows ?? []) as readonly object[];
    },
    async count(probes) {
      const states = [...(await readTableStates(client, oids))];
      const isSame = ([oid, state]: readonly [string, TableState]): boolean =>
        !written.has(oid) && isUnchanged(state, copied.get(oid));
      const same = new Set(states.filter(isSame).map(([, { name }]) => name));
      const filled = new Set(states.flatMap(([oid, { name }]) => ((sizes.get(oid) ?? 0) > 0 ? [name] : [])));
      const stored = probes.filter(({ table }) => same.has(table));
      const counts = new Map((await countStored(stored)).map((count, index) => [stored[index], count]));
      return probes.map((probe) => {
        const isWhole = probe.rows === rowsOfTable(probe.table).rows;
        return counts.get(probe) ?? (isWhole && filled.has(probe.table) ? 1 : 0);
      });
    },
    observed: () => statements,
  };
}

function isUnchanged(state: TableState, copied: TableState | undefined): boolean {
  const parts = ({ name, file, columns }: TableState): string => JSON.stringify([name, file, columns]);
  return copied !== undefined && parts(state) === parts(copied);
}

/** A text of several statements counts as one that writes rows when any of them does. */
function commandOf(results: readonly QueryResult[]): string {
  const commands = results.map(({ command }) => command);
  return ['TRUNCATE', 'DELETE', 'UPDATE', 'MERGE'].find((name) => commands.includes(name)) ?? commands.at(-1) ?? '';
}

function effectsOf(
  before: TableStates,
  after: TableStates,
  sizes: ReadonlyMap<string, number>,
  command: string,
): readonly Effect[] {
  const writesItems = [...after.values()].some(({ name, locks }) => !isFilledByTriggers(name) && holdsRowLock(locks));
  return [...before].flatMap(([oid, state]) => {
    const rows = sizes.get(oid) ?? 0;
    if (rows === 0 || (writesItems && isFilledByTriggers(state.name))) return [];
    return classifyChange(state, after.get(oid), rows, command);
  });
}

async function sizesByOid(client: Client, tables: readonly CopiedTable[]): Promise<ReadonlyMap<string, number>> {
  const rowsByName = new Map(tables.map(({ name, rows }) => [name, rows]));
  const { rows } = await client.query<{ oid: string; name: string }>(
    `SELECT oid::text AS oid, relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1::text[])`,
    [[...rowsByName.keys()]],
  );
  return new Map(rows.map(({ oid, name }) => [oid, rowsByName.get(name) ?? 0]));
}
