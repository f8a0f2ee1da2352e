import type { HostConfig } from '@gantry/host/config';
import { readSettings } from '@gantry/launcher/read-settings';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import type { Terminal } from '../terminal/terminal';

/** The context of every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Settings; what options say has taken its place in it. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Origin of a platform on another machine, in place of the one that runs on the home. */
  readonly url?: string;
  /** Machine-readable output. */
  readonly json: boolean;
  readonly verbose: boolean;
}

/**
 * The settings. Where a platform runs on the home, its project and plugin folders are meant, unless the environment names
 * others.
 * @throws LauncherError that names every one that is wrong
 */
export function settingsOf({ environment }: Pick<CommandContext, 'environment'>): HostConfig {
  const settings = readSettings(environment);
  const running = findRunningPlatform(settings.home);
  if (running === undefined) return settings;
  return {
    ...settings,
    project: environment['GANTRY_PROJECT'] ? settings.project : running.project,
    pluginPath: environment['GANTRY_PLUGIN_PATH'] ? settings.pluginPath : (running.pluginPath ?? settings.pluginPath),
  };
}
