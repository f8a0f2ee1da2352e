import { isGantryError, GantryError } from '@gantry/plugin-api/errors';

/** A constraint that a statement ran into. */
export interface ConstraintViolation {
  /** The table that carries the constraint; for a foreign key the referring one, in both directions. */
  readonly table: string;
  readonly constraint: string;
  /** Columns that the constraint compares, and expressions of them as in `lower(email)`. Empty where PostgreSQL does not say. */
  readonly keys: readonly string[];
}

/** A value that PostgreSQL could not take: out of range, too long, not text of the type, NUL or a lone surrogate. */
export interface ValueError {
  /** SQLSTATE of class 22. */
  readonly sqlState: string;
  readonly message: string;
}

/**
 * Whether the database does not answer, is full or read-only, so that the same request may succeed later. Knows errors of Node's sockets, of
 * pg and its pool, of PostgreSQL, and Sequelize's wrappers of all of these.
 */
export function isUnavailable(error: unknown): boolean {
  return chainOf(error).some(
    (link) =>
      (isGantryError(link) && link.code === 'UNAVAILABLE') ||
      isUnavailableCode(text(link, 'code')) ||
      sequelizeConnectionErrors.has(text(link, 'name')) ||
      isUnavailableMessage(link),
  );
}

/**
 * The error itself, or `UNAVAILABLE` with the error as its cause when the database is unavailable or a statement ran into
 * its time limit.
 */
export function translateUnavailable(error: unknown): unknown {
  if (isGantryError(error)) return error;
  if (isUnavailable(error)) return unavailable(reasonOfUnavailable(error), error);
  if (isStatementTimeout(error)) return unavailable('The database took too long to answer.', error);
  return error;
}

/**
 * The error itself, or `UNAVAILABLE` when a statement that the host made from the declaration of an item type names a table or
 * column that is not there: it was when the host started, and a newer version of the plugin has renamed it since.
 */
export function translateOutdated(error: unknown): unknown {
  if (unknownNames(error).length === 0) return error;
  return unavailable('The tables of the item type have changed, and another host is about to take over.', error);
}

/** Words of the message, the name among them, when a statement names a table or column that is not there; else none. */
export function unknownNames(error: unknown): readonly string[] {
  const found = databaseError(error, (sqlState) => sqlState === '42P01' || sqlState === '42703');
  return found === undefined ? [] : text(found, 'message').split(/\W+/);
}

/** For `catch`: rejects with {@link translateUnavailable} of the error. */
export function rethrowTranslated(error: unknown): never {
  throw translateUnavailable(error);
}

/** The unique (or exclusion) constraint that a statement ran into; undefined for any other error. */
export function uniqueViolation(error: unknown): ConstraintViolation | undefined {
  return violation(error, ['23505', '23P01']);
}

/** The foreign key that a statement ran into; PostgreSQL 18 distinguishes RESTRICT (23001) from a missing target (23503). */
export function foreignKeyViolation(error: unknown): ConstraintViolation | undefined {
  return violation(error, ['23503', '23001']);
}

/** The CHECK that a row violates: of a table, or of a domain, which has no table; undefined for any other error. */
export function checkViolation(error: unknown): Omit<ConstraintViolation, 'keys'> | undefined {
  return violation(error, ['23514']);
}

/** Message and column of `RAISE EXCEPTION … USING COLUMN = …` in a trigger; undefined for any other error. */
export function triggerRefusal(error: unknown): { readonly message: string; readonly column: string } | undefined {
  const found = databaseError(error, (sqlState) => sqlState === 'P0001');
  return found && { message: text(found, 'message'), column: text(found, 'column') };
}

/** The required column that a statement left empty; undefined for any other error. */
export function notNullViolation(error: unknown): { readonly table: string; readonly column: string } | undefined {
  const found = databaseError(error, (sqlState) => sqlState === '23502');
  return found && { table: text(found, 'table'), column: text(found, 'column') };
}

/** The value that PostgreSQL could not take; undefined for any other error. */
export function valueError(error: unknown): ValueError | undefined {
  const found = databaseError(error, (sqlState) => sqlState.startsWith('22'));
  return found && { sqlState: text(found, 'code'), message: text(found, 'message') };
}

/** A deadlock or a serialisation failure: the whole transaction may be tried again at once. */
export function isTransactionConflict(error: unknown): boolean {
  return databaseError(error, (sqlState) => sqlState === '40001' || sqlState === '40P01') !== undefined;
}

/** A statement that ran into a time limit or was cancelled. */
export function isStatementTimeout(error: unknown): boolean {
  return databaseError(error, (sqlState) => sqlState === '57014') !== undefined;
}

/** SQLSTATE of the error or of what it wraps; undefined for an error that is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string | undefined {
  const found = databaseError(error, () => true);
  return found && text(found, 'code');
}

/** Whether other sessions held what the statement needed: the lock timed out, deadlocked, or the time of the statement ran out. */
export function isHeldByOthers(error: unknown): boolean {
  return ['55P03', '40P01', '57014'].includes(sqlStateOf(error) ?? '');
}

/**
 * The reason in few words, without a full stop. A host with several addresses gives an AggregateError without a message;
 * its first part says enough.
 */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { errors } = error as { readonly errors?: unknown };
  const message = text(error, 'message');
  if (message === '' && Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return message === '' ? text(error, 'name') || 'unknown error' : message.replace(/\.$/, '');
}

const socketCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EPIPE',
]);

/** Shut down by an administrator, crashed, starting up, database dropped, idle too long. */
const endedStates = ['57P01', '57P02', '57P03', '57P04', '57P05', '25P03'] as const;

/** A user or database that the server refuses at the moment: a new connection while serving. */
const refusedStates = ['28000', '28P01', '3D000'] as const;

/** Shortages of a server that answers, by SQLSTATE. When an administrator has ended one, the same request succeeds. */
const shortages: ReadonlyMap<string, string> = new Map([
  ['25006', 'The database is read-only.'],
  ['53000', 'The database has too few resources.'],
  ['53100', 'The disk of the database is full.'],
  ['53200', 'The database is out of memory.'],
  ['53300', 'The database has no free connection.'],
  ['53400', 'The database has reached a configured limit.'],
  ['58030', 'The database cannot read or write its disk.'],
]);

const unavailableStates: ReadonlySet<string> = new Set([...endedStates, ...refusedStates, ...shortages.keys()]);

const sequelizeConnectionErrors: ReadonlySet<string> = new Set([
  'SequelizeConnectionError',
  'SequelizeConnectionRefusedError',
  'SequelizeConnectionTimedOutError',
  'SequelizeConnectionAcquireTimeoutError',
  'SequelizeHostNotFoundError',
  'SequelizeHostNotReachableError',
  'SequelizeInvalidConnectionError',
  'SequelizeAccessDeniedError',
]);

/** pg and its pool give these no code. */
const unavailableMessages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Query read timeout$/,
  /^Client has encountered a connection error and is not queryable$/,
  /^Client was closed and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^ConnectionManager\.getConnection was called after the connection manager was closed!$/,
] as const;

function reasonOfUnavailable(error: unknown): string {
  return shortages.get(sqlStateOf(error) ?? '') ?? 'The database does not answer or has no free connection.';
}

function unavailable(reason: string, cause: unknown): GantryError {
  return new GantryError('UNAVAILABLE', `${reason} Try again in a moment.`, { headers: { 'Retry-After': '5' }, cause });
}

function isUnavailableCode(code: string): boolean {
  return socketCodes.has(code) || unavailableStates.has(code) || /^08[0-9A-Z]{3}$/.test(code);
}

function isUnavailableMessage(link: object): boolean {
  // An error of PostgreSQL is known by its code; its message may quote anything.
  if (isSqlState(text(link, 'code'))) return false;
  const message = text(link, 'message');
  return unavailableMessages.some((pattern) => pattern.test(message));
}

function violation(error: unknown, sqlStates: readonly string[]): ConstraintViolation | undefined {
  const found = databaseError(error, (sqlState) => sqlStates.includes(sqlState));
  if (found === undefined) return undefined;
  return { table: text(found, 'table'), constraint: text(found, 'constraint'), keys: keysIn(text(found, 'detail')) };
}

/** In every language of messages, the detail has `(a, lower(b))=(values)`. */
function keysIn(detail: string): readonly string[] {
  const [, keys] = /\((.*?)\)=\(/s.exec(detail) ?? [];
  return keys?.split(/, (?![^(]*\))/) ?? [];
}

function databaseError(error: unknown, accepts: (sqlState: string) => boolean): object | undefined {
  return chainOf(error).find((link) => {
    const code = text(link, 'code');
    return isSqlState(code) && accepts(code);
  });
}

/** Five digits or capitals with at least one digit, as PostgreSQL sends them; `EPIPE` is none. */
function isSqlState(code: string): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code);
}

/** How deep wrappers are followed. */
const longestChain = 16;

/** The error and everything it wraps: Sequelize's `parent` and `original`, `cause`, and the parts of an AggregateError. */
function chainOf(error: unknown): readonly object[] {
  const chain: object[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && chain.length < longestChain) {
    const link = waiting.shift();
    if (typeof link !== 'object' || link === null || chain.includes(link)) continue;
    chain.push(link);
    const { original, parent, cause, errors } = link as Readonly<Record<string, unknown>>;
    waiting.push(original, parent, cause, ...(Array.isArray(errors) ? (errors as readonly unknown[]) : []));
  }
  return chain;
}

function text(link: object, key: string): string {
  const value = (link as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : '';
}
