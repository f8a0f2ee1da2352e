/** Options of fetching and installing with npm. */
export interface SourceOptions {
  /** Absolute folder whose `.npmrc` counts. */
  readonly project: string;
  /** Given to npm, which runs no code of a package. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
