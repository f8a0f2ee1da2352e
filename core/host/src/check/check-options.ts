import type { HostConfig } from '../config';

export interface CheckOptions {
  /** Without a database URL, the schema is not looked at. */
  readonly config: Omit<HostConfig, 'databaseUrl'> & { readonly databaseUrl?: string };
  /** What plugins read their configuration from, and Temporal's settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for all that runs in the process of its own, once it is up; a minute unless given. */
  readonly timeoutMs?: number;
  /** Breaks the check off. */
  readonly signal?: AbortSignal;
}
