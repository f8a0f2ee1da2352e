import type { HostConfig } from '@gantry/host/config';
import { readSettings } from '@gantry/launcher';
import type { Terminal } from './terminal/terminal';

/** What every command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Settings; what options say has taken its place in it. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Machine-readable output. */
  readonly json: boolean;
  readonly verbose: boolean;
}

/** The settings. @throws LauncherError that names every one that is wrong */
export function settingsOf({ environment }: Pick<CommandContext, 'environment'>): HostConfig {
  return readSettings(environment);
}
