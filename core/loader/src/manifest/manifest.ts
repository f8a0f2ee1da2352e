import type { Contributions } from '@gantry/contracts';
import type { UiManifest } from './ui-manifest';

/** The `gantry` member of a plugin's package.json, after validation, with the parts of package.json the host needs. */
export interface Manifest {
  readonly id: string;
  readonly displayName: string;
  readonly packageName: string;
  readonly version: string;
  /** Entry file relative to the folder, from `exports` or `main`; it exists. */
  readonly main: string;
  /** Range of the plugin API, from peerDependencies. */
  readonly pluginApiRange: string;
  readonly dependsOn: Readonly<Record<string, string>>;
  readonly optionalDependsOn: Readonly<Record<string, string>>;
  readonly contributes: Contributions;
  /** Its contributions to the admin pages. */
  readonly ui?: UiManifest;
  /** Why its routes read and write items with all rights, and not only those of their callers; without it, they do not. */
  readonly systemScope?: string;
  /** Names of the environment variables that it reads, which a check passes to it. */
  readonly settings?: readonly string[];
  /** Hosts that its code reaches while it is loaded; a check refuses others. */
  readonly network?: readonly string[];
  /** A failure of a required plugin aborts the start, and it cannot be disabled. */
  readonly required: boolean;
}

/** The environment from which a plugin reads its configuration. */
export type EnvironmentOf = (manifest: Manifest) => Readonly<Record<string, string | undefined>>;
