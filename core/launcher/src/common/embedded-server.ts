/**
 * A server that the launcher starts and keeps running while host processes start and end.
 * The launcher starts its servers in order, passes what {@link env} says to the host, and stops them in reverse order.
 * @public
 */
export interface EmbeddedServer {
  /** For logs, for example `postgres`. */
  readonly name: string;
  /**
   * Resolves as soon as the server can be used; from then on it is kept running until {@link stop}.
   * A server that the platform can do without resolves at once and catches up later.
   * @throws LauncherError when the platform cannot be started without it.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Ends the server and everything it started; with `force` without waiting for anything. Harmless when it never started. */
  stop(options?: { readonly force?: boolean }): Promise<void>;
  /** Environment variables for the host process. Asked after start. */
  env(): Readonly<Record<string, string>>;
  /** Lines for the banner: label and value. Asked after start. */
  banner(): readonly (readonly [label: string, value: string])[];
  /** Process id, for the runtime file. */
  pid(): number | undefined;
}
