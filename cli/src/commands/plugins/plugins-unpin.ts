import { unpinPlugin } from '@gantry/host';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { assertSetCanChange } from '../../context/open-plugin-set';
import { settingsOf, type CommandContext } from '../../context/command-context';

/** `gantry plugins unpin <id>`: the plugin runs from its folder again. */
export async function unpin(context: CommandContext, id: string): Promise<number> {
  const settings = settingsOf(context);
  assertSetCanChange(settings);
  const running = findRunningPlatform(settings.home);
  const isRunning = running?.address !== undefined;
  const databaseUrl = isRunning ? running.databaseUrl : context.environment['DATABASE_URL'];
  const changed = await unpinPlugin(settings, id, databaseUrl);
  const when = isRunning ? 'in a few seconds' : 'at the next start';
  if (context.json) context.terminal.printJson({ plugin: id, changed });
  else context.terminal.print(`${id} runs from its folder ${changed ? when : 'already'}.`);
  return 0;
}
