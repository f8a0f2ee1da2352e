import { isUnavailable } from '@gantry/core-database';
import { readCopy } from '@gantry/core-loader';
import { syncPluginSet, type SyncOptions } from './sync-plugin-set';

export interface SyncForCommandOptions extends Omit<SyncOptions, 'isStrict'> {
  /** Whether a home that has no set yet is left as it is: a command that only reads does not make one. */
  readonly mustExist?: boolean;
}

/**
 * Brings home and database together for a command while no platform runs on the home.
 * @returns whether the database was reached
 * @throws PluginError PLUGIN_SET_CHANGED when another host has overtaken what was decided here; PLUGIN_STATE_DAMAGED
 */
export async function syncForCommand({ mustExist = false, ...options }: SyncForCommandOptions): Promise<boolean> {
  try {
    if (mustExist && readCopy(options.home) === undefined) return true;
    await syncPluginSet({ ...options, isStrict: true });
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
