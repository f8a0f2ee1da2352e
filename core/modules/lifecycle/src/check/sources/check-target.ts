import type { CheckedPackage } from '@gantry/core-loader';

/** A plugin that is checked: the id of one that the platform finds, or a package. */
export type CheckTarget = string | PackageSource;

/** A package that is checked where it is. */
export interface PackageSource extends CheckedPackage {
  /** The argument that named it, where the folder is a temporary copy. */
  readonly origin?: string;
}
