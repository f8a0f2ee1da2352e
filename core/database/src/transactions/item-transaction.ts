import type { Client } from 'pg';
import type { Sequelize, Transaction, TransactionOptions } from 'sequelize';
import { literal } from '../identifiers';
import { originSetting } from '../changes/change-tables';
import { PreparedQuery, type ParameterValue, type TextRow } from './prepared-query';

/** Options of a transaction of Sequelize that changes items. */
export interface OriginOptions extends TransactionOptions {
  /** Who writes, for the change feed. */
  readonly origin: string;
  /** It begins in the same round trip as what is first run by {@link runTogether} or {@link readTogether}. */
  readonly beginsLater?: true;
}

type StartedTransaction = Transaction & {
  readonly parent?: StartedTransaction;
  readonly options: Partial<OriginOptions>;
};

/** Members that Sequelize's types leave out. */
interface RunsTransactions {
  readonly queryGenerator: { startTransactionQuery(transaction: StartedTransaction): string };
  startTransaction(transaction: StartedTransaction, options: object): Promise<unknown>;
  commitTransaction(transaction: StartedTransaction, options: object): Promise<void>;
}

/** Statements that begin transactions which have not begun. */
const putOff = new WeakMap<Transaction, readonly string[]>();
/** Transactions whose COMMIT went with their last statements. */
const committed = new WeakSet<Transaction>();

/** Transactions say who writes in the same round trip in which they begin; some begin later, or are committed before Sequelize does it. */
export function sayOrigin(sequelize: Sequelize): void {
  const queryInterface = sequelize.getQueryInterface() as unknown as RunsTransactions;
  const { queryGenerator } = queryInterface;
  const begin = queryGenerator.startTransactionQuery.bind(queryGenerator);
  queryGenerator.startTransactionQuery = (transaction) =>
    transaction.parent === undefined ? beginning(transaction.options).join('; ') : begin(transaction);
  const start = queryInterface.startTransaction.bind(queryInterface);
  queryInterface.startTransaction = async (transaction, options) => {
    const { parent, options: own } = transaction;
    if (parent !== undefined || own.beginsLater !== true) return start(transaction, options);
    putOff.set(transaction, beginning(own));
    return undefined;
  };
  const commit = queryInterface.commitTransaction.bind(queryInterface);
  queryInterface.commitTransaction = async (transaction, options) => {
    if (committed.has(transaction)) return;
    await commit(transaction, options);
    committed.add(transaction);
  };
}

function beginning({ origin }: Partial<OriginOptions>): readonly string[] {
  return ['START TRANSACTION', ...(origin === undefined ? [] : [`SET LOCAL ${originSetting} = ${literal(origin)}`])];
}

/** A statement of a transaction; an array is a parameter of the type of an array. */
export interface InnerStatement {
  readonly sql: string;
  readonly values: readonly (ParameterValue | readonly (ParameterValue | undefined)[])[];
}

/** The rows of each statement; where one failed, of those before it, and the error. */
export interface Together {
  readonly results: readonly (readonly TextRow[])[];
  readonly failed?: Error;
}

/** Runs statements in one round trip. @param isLast whether the transaction is committed with them, unless one fails or it is within another */
export function runTogether(
  transaction: Transaction,
  statements: readonly InnerStatement[],
  isLast = false,
): Promise<Together> {
  const before = taken(transaction);
  const isOuter = (transaction as StartedTransaction).parent === undefined;
  const after = isLast && isOuter ? ['COMMIT'] : [];
  const all = [...before.map(plain), ...statements, ...after.map(plain)];
  if (all.length === 0) return Promise.resolve({ results: [] });
  return new Promise((resolve) => {
    const done = (error: Error | undefined, rows: readonly (readonly TextRow[])[] = []): void => {
      if (error === undefined && after.length > 0) committed.add(transaction);
      const results = rows.slice(before.length, before.length + statements.length);
      resolve({ results, ...(error === undefined ? {} : { failed: error }) });
    };
    const prepared = all.map(({ sql, values }) => ({ name: '', sql, values: values.map(parameterOf) }));
    connectionOf(transaction).query(new PreparedQuery(prepared, done));
  });
}

/** Runs statements without parameters in one round trip. @returns their rows as objects, with values as models have them */
export async function readTogether(
  transaction: Transaction,
  statements: readonly string[],
): Promise<readonly (readonly object[])[]> {
  const before = taken(transaction);
  const text = [...before, ...statements].join('; ');
  if (text === '') return [];
  const found: unknown = await connectionOf(transaction).query(text);
  const results = (Array.isArray(found) ? found : [found]) as readonly { readonly rows: readonly object[] }[];
  return results.slice(before.length).map(({ rows }) => rows);
}

/** Runs work once the transaction, or the one that it is within, is committed. The work must not throw. */
export function afterCommit(transaction: Transaction, work: () => void): void {
  let outer = transaction as StartedTransaction;
  while (outer.parent !== undefined) outer = outer.parent;
  // Sequelize calls it after a COMMIT that has failed as well.
  outer.afterCommit(() => {
    if (committed.has(outer)) work();
  });
}

/** For what Sequelize itself runs first. */
export async function beginNow(transaction: Transaction): Promise<void> {
  await readTogether(transaction, []);
}

function taken(transaction: Transaction): readonly string[] {
  const statements = putOff.get(transaction) ?? [];
  putOff.delete(transaction);
  return statements;
}

function connectionOf(transaction: Transaction): Client {
  return (transaction as unknown as { readonly connection: Client }).connection;
}

function plain(sql: string): InnerStatement {
  return { sql, values: [] };
}

function parameterOf(value: InnerStatement['values'][number]): ParameterValue {
  if (!isList(value)) return value;
  const members = value.map((one) => (one === null || one === undefined ? 'NULL' : `"${escaped(String(one))}"`));
  return `{${members.join(',')}}`;
}

function isList(value: InnerStatement['values'][number]): value is readonly (ParameterValue | undefined)[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\"]/g, (character) => `\\${character}`);
}
