import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, isGantryError } from '@gantry/plugin-api';
import type { Sequelize, Transaction } from 'sequelize';
import {
  isStatementTimeout,
  isTransactionConflict,
  isUnavailable,
  sqlStateOf,
  translateOutdated,
  translateUnavailable,
} from '../../../database/database-errors';
import { asBadValue } from '../../query/bad-value';
import type { OriginOptions } from '../../../database/transaction-origin';
import { quoteIdentifier } from '../../../database/identifiers';
import { insertRows, reserveIds, updateRows } from './bulk-columns';
import type { BulkChange, BulkOutcome, BulkTransaction } from './bulk-write';
import { createChecked, updateChecked } from './checked-rows';
import { createThroughModel, isPlainToUpdate, updateThroughModel } from './bulk-models';
import type { CompiledItemType, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import type { ReadValues } from '../free-values';
import { insertDerived } from './insert-derived';
import { isPlainModel } from '../plain-model';
import { assertMay, typeInScope, type Scope } from '../../policy/scope';
import { changeOrigin } from '../../policy/change-origin';
import { withAuthor } from '../with-author';
import { isOutdated, translateWriteError } from '../write-errors';

export interface BulkWriter {
  /**
   * Runs work in one transaction of the scope, without time limits; it is kept only when the work says so. When the signal aborts, the
   * statement that runs is cancelled and nothing is kept.
   * @throws GantryError CONFLICT when somebody else holds items for too long, UNAVAILABLE; the signal's reason
   */
  transaction<T>(scope: Scope, work: BulkWork<T>, signal: AbortSignal): Promise<T>;
  /** Updates PostgreSQL's statistics of a table, so that queries after a large import are planned for the rows that it has now. */
  analyze(type: ItemTypeDescriptor): Promise<void>;
}

/** The work of one transaction, which decides whether the transaction is committed. */
export type BulkWork<T> = (transaction: BulkTransaction) => Promise<{ readonly keep: boolean; readonly result: T }>;

/**
 * Writes many items: as arrays of columns, one statement for hundreds of rows, where the model adds nothing;
 * through the Sequelize model one by one where it has hooks, validators or columns in addition to the fields.
 */
export function createBulkWriter(sequelize: Sequelize): BulkWriter {
  return {
    async transaction(scope, work, signal) {
      try {
        return await runTransaction(scope, sequelize, work, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw sqlStateOf(error) === lockNotAvailable ? lockedByOthers(error) : translateUnavailable(error);
      }
    },
    async analyze(type) {
      await sequelize.query(`ANALYZE ${quoteIdentifier(type.table)}`);
    },
  };
}

class NotKept<T> extends Error {
  constructor(readonly result: T) {
    super('The transaction is rolled back on purpose.');
  }
}

const lockNotAvailable = '55P03';

function lockedByOthers(cause: unknown): GantryError {
  const message = 'Another program is changing the same items and has not finished. Try again when it has.';
  return new GantryError('CONFLICT', message, { cause });
}

/** Less than the client waits for the answer to any statement, so that the answer has the reason. */
const limits = [
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  "SET LOCAL lock_timeout = '25s'",
] as const;

async function runTransaction<T>(
  scope: Scope,
  sequelize: Sequelize,
  work: BulkWork<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    const options: OriginOptions = { origin: changeOrigin(scope, 'import') };
    return await sequelize.transaction(options, async (transaction) => {
      const bulk = createBulkTransaction(scope, sequelize, transaction);
      for (const limit of limits) await bulk.query(limit);
      const release = await cancelOnAbort(sequelize, bulk, signal);
      try {
        const { keep, result } = await work(bulk);
        if (!keep) throw new NotKept(result);
        return result;
      } finally {
        await release();
      }
    });
  } catch (error) {
    if (error instanceof NotKept) return error.result as T;
    throw error;
  }
}

/**
 * Cancels what the transaction's connection is doing as soon as the signal aborts.
 * @returns what ends that; afterwards the connection may serve another transaction, which no cancellation must meet
 */
async function cancelOnAbort(
  sequelize: Sequelize,
  bulk: BulkTransaction,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const [row] = await bulk.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let cancelled: Promise<unknown> | undefined;
  const cancel = (): void => {
    cancelled = sequelize
      .query('SELECT pg_cancel_backend($1)', { bind: [row?.pid ?? 0] })
      .catch((): undefined => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  return async () => {
    signal.removeEventListener('abort', cancel);
    await cancelled;
  };
}

function createBulkTransaction(scope: Scope, sequelize: Sequelize, transaction: Transaction): BulkTransaction {
  const query = async <R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]> => {
    const [rows] = await sequelize.query(sql, { transaction, ...(values === undefined ? {} : { bind: [...values] }) });
    return rows as readonly R[];
  };
  const guarded = createGuard(query);
  const read = valuesBy(query);
  const create = (type: CompiledItemType, { values, id }: NewRow) =>
    createThroughModel(type, values, query, transaction, id);
  const save = (type: CompiledItemType, change: BulkChange) => updateThroughModel(type, change, query, transaction);
  const insertOne = (type: CompiledItemType, { values, id }: NewRow): Outcomes =>
    insertRows(type, [values], query, id === undefined ? undefined : [id]);
  const createOne = (type: CompiledItemType, row: NewRow): Outcomes =>
    guarded(type, 'create', () =>
      createChecked(type.descriptor, row.values, query, async () =>
        isPlainModel(type) ? insertOne(type, row) : [await create(type, row)],
      ),
    );
  const insertAll = (type: CompiledItemType, rows: readonly StoredValues[], ids?: readonly string[]): Outcomes => {
    const each = (): Outcomes => oneByOne(rows, (values, index) => createOne(type, { values, id: ids?.[index] }));
    if (type.descriptor.rows !== undefined || !isPlainModel(type)) return each();
    return guarded(type, 'create', () => insertRows(type, rows, query, ids), each);
  };
  const updateOne = (type: CompiledItemType, change: BulkChange): Outcomes =>
    guarded(type, 'update', () =>
      updateChecked(type.descriptor, change, query, async () =>
        isPlainToUpdate(type) ? updateRows(type.descriptor, [change], query) : [await save(type, change)],
      ),
    );
  return {
    query: <R extends object>(sql: string, values?: readonly unknown[]) => query<R>(sql, values).catch(asBadValue),
    async reserveIds({ descriptor }, ids) {
      const type = typeInScope(scope, descriptor.code);
      assertMay(scope, 'create', type);
      await reserveIds(type.descriptor, ids, query);
    },
    async insert(given, sent, ids) {
      if (sent.length === 0) return [];
      const type = typeInScope(scope, given.descriptor.code);
      assertMay(scope, 'create', type);
      const { descriptor, stored = descriptor } = type;
      const items = sent.map((item) => ({ ...item, values: withAuthor(scope, descriptor, 'create', item.values) }));
      return insertDerived(stored, items, { read, ids, insert: (rows, own) => insertAll(type, rows, own) });
    },
    async update(given, sent) {
      if (sent.length === 0) return [];
      const type = typeInScope(scope, given.descriptor.code);
      const actions = new Set(sent.map(({ isNew }) => (isNew === true ? 'create' : 'update')));
      for (const action of actions) assertMay(scope, action, type);
      const changes = sent.map((change) => ({
        ...change,
        values: withAuthor(scope, type.descriptor, 'update', change.values),
      }));
      const each = (): Outcomes => oneByOne(changes, (change) => updateOne(type, change));
      if (type.descriptor.rows !== undefined || !isPlainToUpdate(type)) return each();
      return guarded(type, 'update', () => updateRows(type.descriptor, changes, query), each);
    },
  };
}

function valuesBy(query: RunRows): ReadValues {
  return async (sql, bind) => (await query<{ readonly value: string }>(sql, bind)).map(({ value }) => value);
}

interface NewRow {
  readonly values: StoredValues;
  /** Undefined where it gets the next one. */
  readonly id: string | undefined;
}

type RunRows = BulkTransaction['query'];
type Outcomes = Promise<readonly BulkOutcome[]>;

/**
 * Runs statements behind a savepoint. When they fail, everything since is undone and the error becomes the outcome of the
 * one row, or `otherwise` tries the rows one by one to find those at fault.
 */
function createGuard(query: RunRows) {
  return async (
    type: CompiledItemType,
    action: 'create' | 'update',
    work: () => Outcomes,
    otherwise?: () => Outcomes,
  ): Outcomes => {
    await query('SAVEPOINT gantry_bulk');
    try {
      const outcomes = await work();
      await query('RELEASE SAVEPOINT gantry_bulk');
      return outcomes;
    } catch (error) {
      if (isInfrastructureError(error)) throw error;
      if (isOutdated(error, type.descriptor)) throw translateOutdated(error);
      await query('ROLLBACK TO SAVEPOINT gantry_bulk');
      return otherwise === undefined ? [await refusal(type, action, error, query)] : otherwise();
    }
  };
}

/** The database is unavailable, a lock timed out, a deadlock was resolved, or the statement was cancelled. */
function isInfrastructureError(error: unknown): boolean {
  const isLockTimeout = sqlStateOf(error) === lockNotAvailable;
  return isUnavailable(error) || isTransactionConflict(error) || isStatementTimeout(error) || isLockTimeout;
}

async function oneByOne<T>(rows: readonly T[], write: (row: T, index: number) => Outcomes): Outcomes {
  const outcomes: BulkOutcome[] = [];
  for (const [index, row] of rows.entries()) outcomes.push(...(await write(row, index)));
  return outcomes;
}

async function refusal(
  { descriptor: type, model }: CompiledItemType,
  action: 'create' | 'update',
  error: unknown,
  query: RunRows,
): Promise<BulkOutcome> {
  const translated = await translateWriteError(error, {
    type,
    model,
    action,
    query: async ({ sql, values }) => (await query(sql, values)).map((row): readonly unknown[] => Object.values(row)),
    describeForeignKey: () => Promise.resolve(referenceGone()),
  });
  if (!isGantryError(translated)) return { status: 'refused', problems: [databaseRule(error)] };
  const { code, details = [] } = translated;
  const message = translated.message.replace(`Failed to ${action} ${type.displayName}: `, '');
  const whole: ErrorDetail = { path: details[0]?.path ?? '', code: details[0]?.code ?? code, message };
  // Of a collision, the message says more than the details, of which there is one for each field.
  return { status: 'refused', problems: details.length === 0 || code === 'CONFLICT' ? [whole] : details };
}

/** References were looked up before; that one is missing now has happened since. */
function referenceGone(): GantryError {
  const message = 'an item that it refers to was deleted in the meantime';
  const details = [{ path: '', code: 'REFERENCE_NOT_FOUND', message }];
  return new GantryError('VALIDATION_FAILED', message, { details });
}

/** A constraint or trigger that a migration made. @throws the error itself when it is none */
function databaseRule(error: unknown): ErrorDetail {
  const sqlState = sqlStateOf(error) ?? '';
  if (!sqlState.startsWith('23') && sqlState !== 'P0001') throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return { path: '', code: 'MODEL_VALIDATION', message: `the database rejects it: ${reason}` };
}
