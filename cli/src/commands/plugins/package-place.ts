import type { PluginCheckReport, PluginPackage } from '@gantry/contracts';
import type { ChangeAnswer } from './until-changed';

/** A package to fetch. */
export type Wanted =
  | { readonly action: 'install'; readonly source: string }
  | { readonly action: 'upgrade'; readonly plugin: string; readonly to: string | undefined };

/** A package that was fetched and checked, and is not used yet. */
export interface CheckedPackage extends PluginPackage {
  readonly report: PluginCheckReport;
  /**
   * The platform begins the change; without one that runs, it is decided for the next start.
   * @param enabled of an installation, whether the plugin is enabled, too
   */
  apply(enabled: boolean): Promise<ChangeAnswer>;
}

/**
 * Where packages are fetched, checked and installed: in this home, or by a platform of another machine.
 * @returns a version where that is the newest one, and the plugin has it
 */
export type PackagePlace = (wanted: Wanted) => Promise<CheckedPackage | { readonly newest: string }>;
