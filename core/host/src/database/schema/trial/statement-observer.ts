import type { Client, QueryResult } from 'pg';
import { classifyChange, holdsRowLock, type Effect } from './classify-change';
import type { CopiedTable } from './copy-structure';
import { isFilledByTriggers, readTableStates, type TableStates } from './table-states';

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
  /** Those of the original tables that have rows, whatever their names are in the copy now. */
  populated(names: readonly string[]): Promise<ReadonlySet<string>>;
  observed(): readonly ObservedStatement[];
}

export async function createObserver(client: Client, tables: readonly CopiedTable[]): Promise<StatementObserver> {
  const sizes = await sizesByOid(client, tables);
  const oids = [...sizes.keys()];
  const statements: ObservedStatement[] = [];
  return {
    async run(plugin, statement, values) {
      const before = await readTableStates(client, oids);
      const result = (await client.query(statement, values && [...values])) as QueryResult | readonly QueryResult[];
      const results = 'rows' in result ? [result] : result;
      const after = await readTableStates(client, oids);
      const effects = effectsOf(before, after, sizes, commandOf(results));
      statements.push({ plugin, statement, effects });
      return (results.at(-1)?.rows ?? []) as readonly object[];
    },
    async populated(names) {
      const states = await readTableStates(client, oids);
      const filled = new Set([...states].flatMap(([oid, { name }]) => ((sizes.get(oid) ?? 0) > 0 ? [name] : [])));
      return new Set(names.filter((name) => filled.has(name)));
    },
    observed: () => statements,
  };
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
