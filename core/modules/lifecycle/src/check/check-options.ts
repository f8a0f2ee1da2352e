import type { PluginSources } from '@gantry/core-loader';

export interface CheckOptions {
  /** Without a database URL, the schema is not looked at. */
  readonly config: PluginSources & { readonly databaseUrl?: string };
  /** The file of the process in which code of plugins is tried out; it calls `answerCheck`. */
  readonly program: string;
  /** Variables with the configuration of plugins, and Temporal's settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Time limit in milliseconds for the separate process, once it is up; a minute by default. */
  readonly timeoutMs?: number;
  /** Runs the tests of the packages, too. */
  readonly tests?: {
    /** Time limit in milliseconds for the tests of one package; ten minutes by default. */
    readonly timeoutMs?: number;
  };
  /** Breaks the check off. */
  readonly signal?: AbortSignal;
}
