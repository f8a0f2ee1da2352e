import { Client } from 'pg';
import { codeOf, messageOf, unlessAborted, withTimeout, type Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { isLauncherError, LauncherError } from '../common/launcher-error';

const oldestMajor = 14;
const timeoutMs = 5_000;

/**
 * An external PostgreSQL (DATABASE_URL): nothing is started, but its use is checked at once. The
 * host waits for one that cannot be reached yet.
 */
export function createOwnDatabase(url: string, logger: Logger): EmbeddedServer {
  let version: string | undefined;
  return {
    name: 'database',
    start: async (signal) => {
      version = await checkDatabase(url, signal).catch((error: unknown) => {
        if (!isLauncherError(error) || !canPass(error.cause)) throw error;
        logger.warn(`${error.message} The platform waits for it. ${error.remedy}`);
        return undefined;
      });
    },
    stop: () => Promise.resolve(),
    env: () => ({ DATABASE_URL: url }),
    banner: () => [['Database', `${serverName(version)} at ${describeAddress(url)} (DATABASE_URL)`]],
    pid: () => undefined,
  };
}

function serverName(version: string | undefined): string {
  return version === undefined ? 'PostgreSQL' : `PostgreSQL ${version}`;
}

/**
 * @returns the version of the server.
 * @throws LauncherError when it cannot be reached or used.
 */
export async function checkDatabase(url: string, signal: AbortSignal): Promise<string> {
  const address = describeAddress(url);
  const client = createClient(url);
  client.on('error', () => {});
  try {
    const readVersion = () =>
      client.connect().then(() => client.query<{ server_version: string }>('SHOW server_version'));
    const late = (): Error => new Error(`no answer within ${timeoutMs / 1000} s`);
    const result = await unlessAborted(withTimeout(timeoutMs, readVersion, late), signal);
    const version = result.rows[0]?.server_version ?? '';
    assertNewEnough(version, address);
    return version.split(' ')[0] ?? version;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof LauncherError ? error : unusable(address, error);
  } finally {
    void client.end().catch(() => {});
  }
}

function createClient(url: string): Client {
  try {
    return new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  } catch (error) {
    throw new LauncherError('DATABASE_URL is not the address of a PostgreSQL.', addressRemedy, { cause: error });
  }
}

const addressRemedy =
  'Set it to an address such as postgres://user:password@host:5432/database, or unset DATABASE_URL to use the embedded PostgreSQL.';

function assertNewEnough(version: string, address: string): void {
  if (Number.parseInt(version, 10) >= oldestMajor) return;
  throw new LauncherError(
    `The PostgreSQL at ${address} (DATABASE_URL) is version ${version}, and Gantry needs ${oldestMajor} or newer.`,
    'Name a newer server, or unset DATABASE_URL to use the embedded PostgreSQL.',
  );
}

function unusable(address: string, error: unknown): LauncherError {
  return new LauncherError(
    `The database at ${address} (DATABASE_URL) cannot be used: ${explain(error)}.`,
    remedyFor(error),
    { cause: error },
  );
}

/**
 * Whether the cause can pass by itself: the server or its name is not there yet, the server starts, stops, is full or slow.
 */
function canPass(cause: unknown): boolean {
  const code = codeOf(cause) ?? (cause instanceof AggregateError ? codeOf(cause.errors[0]) : undefined);
  // Time-outs have no code.
  if (code === undefined) return /^(no answer within|timeout expired|Connection terminated)/.test(messageOf(cause));
  return Object.hasOwn(reasons, code) || /^(57P0.|53...|08...)$/.test(code);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no host has that name',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'it closes the connection',
};

function explain(error: unknown): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : reasons[code];
  // An address with several entries fails with one error for each, and an empty message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return known ?? messageOf(first).replace(/\.$/, '');
}

function remedyFor(error: unknown): string {
  switch (codeOf(error)) {
    case '28P01':
    case '28000':
      return 'Correct the user and password in DATABASE_URL, or unset it to use the embedded PostgreSQL.';
    case '3D000':
      return 'Create that database, or correct its name in DATABASE_URL.';
    default:
      return 'Start that server or correct DATABASE_URL, or unset it to use the embedded PostgreSQL.';
  }
}

/** Host, port and database; never the password. */
function describeAddress(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
  } catch {
    return 'the given address';
  }
}
