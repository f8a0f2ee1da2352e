import type { Client } from 'pg';
import { connectionSettings, displayAddress } from './connection-settings';
import { reasonOf, sqlStateOf } from '../database-errors';
import { sharesSessions } from './shares-sessions';
import { withClient } from './with-client';

/** Why a start cannot use its database: one sentence each for what is wrong and what to do. */
export interface ConnectionProblem {
  readonly code:
    | 'DATABASE_UNREACHABLE'
    | 'DATABASE_STARTING'
    | 'DATABASE_FULL'
    | 'DATABASE_LOGIN_REFUSED'
    | 'DATABASE_MISSING'
    | 'DATABASE_TOO_OLD'
    | 'DATABASE_NOT_UTF8'
    | 'DATABASE_READ_ONLY'
    | 'DATABASE_POOLED'
    | 'DATABASE_FAILED';
  readonly message: string;
  readonly remedy: string;
}

export type ConnectionCheck =
  | { readonly status: 'usable'; /** For example `18.4`. */ readonly serverVersion: string }
  | { readonly status: 'unusable'; readonly problem: ConnectionProblem };

/** Oldest PostgreSQL that is supported. */
const oldestVersion = 14;

/** Connects once and checks whether the platform can work with the database. Never rejects. */
export async function checkConnection(url: string): Promise<ConnectionCheck> {
  try {
    const settings = connectionSettings(url, 'check', { statementTimeoutMs: 10_000 });
    const check = await withClient(settings, async (client) => judge(url, await readServer(client)));
    if (check.status === 'unusable' || !(await sharesSessions(url))) return check;
    return { status: 'unusable', problem: pooled(displayAddress(url), sharedSessions) };
  } catch (error) {
    return { status: 'unusable', problem: describeConnectionError(url, error) };
  }
}

/** Explains an error while connecting to the person who started the platform. */
export function describeConnectionError(url: string, error: unknown): ConnectionProblem {
  const address = displayAddress(url);
  const sqlState = sqlStateOf(error);
  if (sqlState === undefined) {
    return {
      code: 'DATABASE_UNREACHABLE',
      message: `PostgreSQL at ${address} cannot be reached: ${reasonOf(error)}.`,
      remedy: 'Start PostgreSQL, or correct host and port in DATABASE_URL; leave it unset to use the embedded one.',
    };
  }
  // `options` are among them, with which every connection begins.
  if (sqlState === '08P01' && /startup parameter/.test(reasonOf(error))) {
    return pooled(address, `refuses settings of a session: ${reasonOf(error)}`);
  }
  const known = refusals.find((refusal) => sqlState.startsWith(refusal.sqlState));
  if (known !== undefined) {
    return { code: known.code, message: `PostgreSQL at ${address} ${known.says}.`, remedy: known.remedy };
  }
  return {
    code: 'DATABASE_FAILED',
    message: `PostgreSQL at ${address} rejects the connection: ${reasonOf(error)}.`,
    remedy: 'Read the log of PostgreSQL.',
  };
}

export const sharedSessions = 'shares the session of a connection with others';

/** Prepared statements, LISTEN, locks and settings of a session are lost behind a pooler of transactions. */
export function pooled(address: string, says: string): ConnectionProblem {
  return {
    code: 'DATABASE_POOLED',
    message: `The address ${address} is a connection pooler that ${says}.`,
    remedy:
      'Name the direct address of PostgreSQL in DATABASE_URL, or a connection pooler in session mode ' +
      '(PgBouncer: pool_mode = session, ignore_startup_parameters = extra_float_digits, options).',
  };
}

/** Refused connections by SQLSTATE or its class. */
const refusals = [
  {
    sqlState: '28',
    code: 'DATABASE_LOGIN_REFUSED',
    says: 'rejects the user or password in DATABASE_URL',
    remedy: 'Correct user and password in DATABASE_URL, or let pg_hba.conf admit this user from this machine.',
  },
  {
    sqlState: '3D000',
    code: 'DATABASE_MISSING',
    says: 'has no database of that name',
    remedy: 'Create it with `createdb`, or name an existing one in DATABASE_URL.',
  },
  {
    sqlState: '57P03',
    code: 'DATABASE_STARTING',
    says: 'is starting up or shutting down',
    remedy: 'Start again in a moment.',
  },
  {
    sqlState: '53300',
    code: 'DATABASE_FULL',
    says: 'has no free connection',
    remedy: 'Raise max_connections, or stop other programs that use it.',
  },
] as const;

interface Server {
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly isReadOnly: boolean;
}

async function readServer(client: Client): Promise<Server> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string; standby: boolean }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
            current_setting('server_encoding') AS encoding,
            pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS standby`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the server gave no answer');
  return { versionNumber: Number(row.number), version: row.version, encoding: row.encoding, isReadOnly: row.standby };
}

function judge(url: string, server: Server): ConnectionCheck {
  const problem = serverProblem(displayAddress(url), server);
  return problem === undefined
    ? { status: 'usable', serverVersion: server.version.split(' ', 1).join('') }
    : { status: 'unusable', problem };
}

/** Pure; exported because old servers are rare on test machines. */
export function serverProblem(address: string, server: Server): ConnectionProblem | undefined {
  if (server.versionNumber < oldestVersion * 10_000) {
    return {
      code: 'DATABASE_TOO_OLD',
      message: `PostgreSQL at ${address} is version ${server.version}; ${oldestVersion} or newer is needed.`,
      remedy: `Upgrade it, or name a PostgreSQL ${oldestVersion} or newer in DATABASE_URL.`,
    };
  }
  if (server.encoding !== 'UTF8') {
    return {
      code: 'DATABASE_NOT_UTF8',
      message: `The database at ${address} stores text as ${server.encoding}; UTF8 is needed.`,
      remedy: 'Create the database with ENCODING UTF8, and name it in DATABASE_URL.',
    };
  }
  if (server.isReadOnly) {
    return {
      code: 'DATABASE_READ_ONLY',
      message: `PostgreSQL at ${address} accepts no changes: it is a standby or read-only.`,
      remedy: 'Name the primary server in DATABASE_URL.',
    };
  }
  return undefined;
}
