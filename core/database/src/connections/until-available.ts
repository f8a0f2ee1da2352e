import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/plugin-api';
import { checkConnection, pooled, sharedSessions, type ConnectionProblem } from './check-connection';
import { displayAddress } from './connection-settings';
import { isUnavailable } from '../database-errors';
import { SchemaError } from '../schema/schema-error';
import { sharesSessions } from './shares-sessions';

export interface UntilAvailableOptions {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Called with the reason of every wait, and with undefined when the wait is over. */
  readonly onWait: (reason: string | undefined) => void;
}

/** Why a start gives up: the cause does not pass by itself. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';

  constructor(
    readonly code: ConnectionProblem['code'],
    message: string,
    readonly remedy: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

const retryMs = { first: 200, max: 5_000 } as const;

/**
 * Runs a part of the start until the database allows it: again and again while it cannot be reached, recovers, is full or
 * slow, or while another host changes the schema.
 * @throws DatabaseError when the database refuses the user or does not exist
 * @throws what the work throws for any other reason
 */
export async function untilAvailable<T>(work: () => Promise<T>, options: UntilAvailableOptions): Promise<T> {
  let known: string | undefined;
  for (let wait: number = retryMs.first; ; wait = Math.min(wait * 2, retryMs.max)) {
    try {
      const result = await work();
      options.onWait(undefined);
      return result;
    } catch (error) {
      const reason = await reasonToWait(options.databaseUrl, error);
      options.onWait(reason);
      if (reason !== known) options.logger.warn({ err: error }, `The start waits for the database. ${reason}`);
      known = reason;
      await delay(wait);
    }
  }
}

const permanent: ReadonlySet<ConnectionProblem['code']> = new Set([
  'DATABASE_LOGIN_REFUSED',
  'DATABASE_MISSING',
  'DATABASE_TOO_OLD',
  'DATABASE_NOT_UTF8',
  'DATABASE_POOLED',
]);

/**
 * To be asked before anything is served: behind a pooler of transactions, single requests are answered, and several at once fail.
 * @throws DatabaseError
 */
export async function assertOwnSessions(databaseUrl: string): Promise<void> {
  if (!(await sharesSessions(databaseUrl))) return;
  const { code, message, remedy } = pooled(displayAddress(databaseUrl), sharedSessions);
  throw new DatabaseError(code, message, remedy, undefined);
}

/** The reason of a wait, in sentences. @throws DatabaseError or the error itself when waiting does not help */
async function reasonToWait(databaseUrl: string, error: unknown): Promise<string> {
  if (error instanceof SchemaError && error.code === 'SCHEMA_LOCKED') return `${error.message} ${error.remedy}`;
  if (!isUnavailable(error)) throw error;
  const check = await checkConnection(databaseUrl);
  if (check.status === 'usable') return 'PostgreSQL did not answer in time. The start is retried automatically.';
  const { code, message, remedy } = check.problem;
  if (permanent.has(code)) throw new DatabaseError(code, message, remedy, error);
  return `${message} ${remedy}`;
}
