import type { ClientConfig } from 'pg';

/** The limits in which kinds of connections differ. */
export interface ConnectionLimits {
  /** Milliseconds a statement may take on the server; 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** Milliseconds that a transaction may be idle before the server ends it; 0 for no limit. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Milliseconds to connect, or to wait for a free connection; {@link connectTimeoutMs} unless given. */
  readonly connectTimeoutMs?: number;
  /** How PostgreSQL plans prepared statements; `auto` unless given. */
  readonly plans?: 'auto' | 'force_custom_plan' | 'force_generic_plan';
  /**
   * Whether a table may be read from end to end where an index would do; it may unless given. A plan for any values is
   * kept, and one made while a table was small would still read the whole table after it has grown.
   */
  readonly wholeTables?: boolean;
}

/** Milliseconds that connecting, or waiting for a free connection, may take. */
export const connectTimeoutMs = 5_000;

/** Milliseconds after which an idle connection is closed: other hosts may need it. */
export const connectionIdleMs = 10_000;

/**
 * Settings of every connection of the host: UTC and ISO dates, so that times are read the same whatever the server's own
 * settings; only the schema `public`; no just-in-time compilation, which would cost an uncapped search its quick first
 * row.
 */
export function connectionSettings(url: string, purpose: string, limits: ConnectionLimits): ClientConfig {
  return {
    connectionString: url,
    application_name: `gantry ${purpose}`,
    options: [...sessionOptions(limits), optionsOf(url)].join(' ').trim(),
    connectionTimeoutMillis: limits.connectTimeoutMs ?? connectTimeoutMs,
    keepAlive: true,
    // A server that freezes never reports its own time-out; this one is kept by the client.
    ...(limits.statementTimeoutMs === 0 ? {} : { query_timeout: limits.statementTimeoutMs + connectTimeoutMs }),
  };
}

/** The address without its password, for messages and logs: `127.0.0.1:5432/gantry`. */
export function displayAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'the given address';
  return `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}${decodeURIComponent(parsed.pathname)}`;
}

function sessionOptions(limits: ConnectionLimits): readonly string[] {
  return [
    '-c TimeZone=UTC',
    '-c DateStyle=ISO',
    '-c search_path=public',
    '-c jit=off',
    // The first of many matches are the same for the same request.
    '-c synchronize_seqscans=off',
    `-c plan_cache_mode=${limits.plans ?? 'auto'}`,
    ...(limits.wholeTables === false ? pageOptions : []),
    `-c statement_timeout=${limits.statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${limits.idleInTransactionTimeoutMs ?? 0}`,
  ];
}

/**
 * A page is found in the order of an index, and sooner than other processes are started for it. A trigram index can only be read as
 * a bitmap: of the two kinds of scans that are off, that one must cost less than the whole table.
 */
const pageOptions = [
  '-c enable_seqscan=off',
  '-c enable_bitmapscan=off',
  '-c seq_page_cost=1000',
  '-c max_parallel_workers_per_gather=0',
] as const;

function optionsOf(url: string): string {
  return URL.canParse(url) ? (new URL(url).searchParams.get('options') ?? '') : '';
}
