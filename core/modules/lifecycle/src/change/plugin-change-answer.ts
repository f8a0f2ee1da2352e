import type { GenerationsReport, PluginChange, PluginCheckReport, PluginPackage } from '@gantry/contracts';

/** The result of a request to change plugins. */
export interface PluginChangeAnswer {
  readonly takesEffect: GenerationsReport['changesTakeEffect'];
  /** Under way where changes take effect at once; null when all was as asked for already. */
  readonly change: PluginChange | null;
  /** Of what was enabled, installed or upgraded. */
  readonly report?: PluginCheckReport;
  /** That was fetched, to check, to install or to upgrade to it. */
  readonly package?: PluginPackage;
}

/** Where nothing has to change. */
export function unchanged(takesEffect: PluginChangeAnswer['takesEffect']): PluginChangeAnswer {
  return { takesEffect, change: null };
}
