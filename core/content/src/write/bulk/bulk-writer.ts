import { messageOf } from '@gantry/core-common';
import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, isGantryError } from '@gantry/plugin-api';
import type { Sequelize, Transaction } from 'sequelize';
import {
  isStatementTimeout,
  isTransactionConflict,
  isUnavailable,
  quoteIdentifier,
  sqlStateOf,
  translateOutdated,
  translateUnavailable,
  type OriginOptions,
} from '@gantry/core-database';
import { asBadValue } from '../../query/bad-value';
import type { BulkOutcome, BulkTransaction } from './bulk-write';
import { outcomesOf } from './collisions';
import type { CompiledItemType, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import { reserveIdsStatement } from '../../sql/bulk-statements';
import type { ReadValues } from '../values/free-values';
import { insertDerived } from './insert-derived';
import { isPlainWrite } from '../plain-model';
import { assertMay, typeInScope, writableType, type Scope } from '../../policy/scope';
import { changeOrigin } from '../../policy/change-origin';
import { createRows, type NewRow } from '../rows/create-rows';
import { updateRows, type RowChange } from '../rows/update-rows';
import type { WriteHooks } from '../rows/write-hooks';
import { sessionIn, type WriteSession } from '../write-transaction';
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
 * Writes many items, those of a batch together unless one of them may be refused after it is written.
 * @param notify called when a transaction has ended; must be quick and must not throw
 */
export function createBulkWriter(sequelize: Sequelize, hooks?: WriteHooks, notify?: () => void): BulkWriter {
  return {
    async transaction(scope, work, signal) {
      try {
        const result = await runTransaction({ scope, sequelize, hooks }, work, signal);
        notify?.();
        return result;
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

interface BulkParts {
  readonly scope: Scope;
  readonly sequelize: Sequelize;
  readonly hooks: WriteHooks | undefined;
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

async function runTransaction<T>(parts: BulkParts, work: BulkWork<T>, signal: AbortSignal): Promise<T> {
  try {
    const options: OriginOptions = { origin: changeOrigin(parts.scope, 'import') };
    return await parts.sequelize.transaction(options, async (transaction) => {
      const bulk = createBulkTransaction(parts, transaction);
      for (const limit of limits) await bulk.query(limit);
      const release = await cancelOnAbort(parts.sequelize, bulk, signal);
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

function createBulkTransaction(parts: BulkParts, transaction: Transaction): BulkTransaction {
  const session = sessionIn(parts, transaction);
  const { scope, query } = session;
  const guarded = createGuard(session);
  const create = async (type: CompiledItemType, rows: readonly NewRow[]): Outcomes =>
    outcomesOf(type, rows, (await createRows(session, type, rows, { skipTaken: true })).ids, query);
  const change = async (type: CompiledItemType, changes: readonly RowChange[]): Outcomes => {
    await updateRows(session, type, changes);
    return changes.map(({ id }) => ({ status: 'written', id }));
  };
  return {
    query: <R extends object>(sql: string, values?: readonly unknown[]) => query<R>(sql, values).catch(asBadValue),
    async reserveIds(given, ids) {
      const { descriptor } = writableType(scope, 'create', given);
      if (ids.length > 0) await query(reserveIdsStatement(descriptor), [ids]);
    },
    async insert(given, items, ids) {
      if (items.length === 0) return [];
      const type = writableType(scope, 'create', given);
      const { descriptor, stored = descriptor } = type;
      const insert = (values: readonly StoredValues[], own?: readonly string[]): Outcomes => {
        const rows = values.map((row, index) => ({ values: row, set: setFields(descriptor, row), id: own?.[index] }));
        return guarded(type, 'create', rows, create);
      };
      return insertDerived(stored, items, { read: valuesBy(query), ids, insert });
    },
    async update(given, sent) {
      if (sent.length === 0) return [];
      const changes = sent.map(({ id, values, isNew }): RowChange => ({
        ...{ id, values },
        right: isNew === true ? 'create' : 'update',
      }));
      const type = typeInScope(scope, given.descriptor.code);
      for (const { right } of changes) assertMay(scope, right === 'create' ? 'create' : 'update', type);
      return guarded(type, 'update', changes, change);
    },
  };
}

/** Fields that the user cannot set have their defaults. */
function setFields({ fields }: ItemTypeDescriptor, values: StoredValues): readonly string[] {
  return fields.flatMap(({ name, editableOnCreate }) => (values.has(name) && editableOnCreate !== false ? [name] : []));
}

function valuesBy(query: RunRows): ReadValues {
  return async (sql, bind) => (await query<{ readonly value: string }>(sql, bind)).map(({ value }) => value);
}

type RunRows = BulkTransaction['query'];
type Outcomes = Promise<readonly BulkOutcome[]>;

/**
 * Writes rows behind a savepoint. When they fail, everything since is undone and they are tried one by one, to find those at fault; the
 * error of one becomes its outcome.
 */
function createGuard({ query, hooks }: WriteSession) {
  return async function guarded<R>(
    type: CompiledItemType,
    action: 'create' | 'update',
    rows: readonly R[],
    write: (type: CompiledItemType, rows: readonly R[]) => Outcomes,
  ): Outcomes {
    const each = (): Outcomes => oneByOne(rows, (row) => guarded(type, action, [row], write));
    const { descriptor } = type;
    const mayBeRefused = descriptor.rows !== undefined || !isPlainWrite(type, action, hooks);
    if (rows.length > 1 && mayBeRefused) return each();
    await query('SAVEPOINT gantry_bulk');
    try {
      const outcomes = await write(type, rows);
      await query('RELEASE SAVEPOINT gantry_bulk');
      return outcomes;
    } catch (error) {
      if (isInfrastructureError(error)) throw error;
      if (isOutdated(error, descriptor)) throw translateOutdated(error);
      await query('ROLLBACK TO SAVEPOINT gantry_bulk');
      return rows.length > 1 ? each() : [await refusal(type, action, error, query)];
    }
  };
}

/** The database or a hook of a plugin is unavailable, a lock timed out, a deadlock was resolved, or the statement was cancelled. */
function isInfrastructureError(error: unknown): boolean {
  const isLockTimeout = sqlStateOf(error) === lockNotAvailable;
  const isRefusedByNone = isGantryError(error) && error.code === 'UNAVAILABLE';
  return (
    isRefusedByNone ||
    isUnavailable(error) ||
    isTransactionConflict(error) ||
    isStatementTimeout(error) ||
    isLockTimeout
  );
}

async function oneByOne<T>(rows: readonly T[], write: (row: T) => Outcomes): Outcomes {
  const outcomes: BulkOutcome[] = [];
  for (const row of rows) outcomes.push(...(await write(row)));
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
  const reason = messageOf(error);
  return { path: '', code: 'MODEL_VALIDATION', message: `the database rejects it: ${reason}` };
}
