import { syncForCommand } from '@gantry/host';
import { withRemedy } from '../common/with-remedy';
import type { HostConfig } from '@gantry/host/config';
import { settingsOf, type CommandContext } from './command-context';

/**
 * The plugin set of a database that other hosts use, too. Without one (the embedded PostgreSQL does not run now) or while it
 * cannot be reached, the next start stores what is decided.
 * @returns what stores the decisions there
 */
export async function openPluginSet(context: CommandContext): Promise<() => Promise<void>> {
  const settings = settingsOf(context);
  assertSetCanChange(settings);
  if (!context.environment['DATABASE_URL']) return () => Promise.resolve();
  const sync = () => syncForCommand({ ...settings, environment: context.environment });
  if (!(await sync())) {
    context.terminal.note('The database cannot be reached; the next start stores the decision there.');
    return () => Promise.resolve();
  }
  return async () => void (await sync());
}

export function assertSetCanChange({ setFile }: HostConfig): void {
  if (setFile === undefined) return;
  throw withRemedy(
    `The plugins are those of the file ${setFile} (GANTRY_PLUGIN_SET), which no command changes.`,
    'Edit the file, or unset GANTRY_PLUGIN_SET.',
  );
}
