import type { TrialPackage } from '../../plugins';

/** A plugin that is checked: the id of one that the platform finds, or a package. */
export type CheckTarget = string | PackageSource;

/** A package that is checked where it is. */
export interface PackageSource extends TrialPackage {
  /** What it was named by, where the folder is a temporary copy. */
  readonly origin?: string;
}

/** What making targets of words needs. */
export interface SourceOptions {
  /** Absolute folder whose `.npmrc` counts. */
  readonly project: string;
  /** Given to npm, which runs no code of a package. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
