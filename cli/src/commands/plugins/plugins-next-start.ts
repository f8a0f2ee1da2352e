import type { PluginCheckReport, PluginReport } from '@gantry/contracts';
import { disablePlugin, enablePlugin, PluginError } from '@gantry/host';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { openPluginSet } from '../../context/open-plugin-set';
import { checkHere, printReport } from './plugins-check';

/** `gantry plugins enable <id>` and `disable <id>` where no platform runs. */
export async function changeForNextStart(
  context: CommandContext,
  id: string,
  action: 'enable' | 'disable',
  withDependents: boolean,
): Promise<number> {
  const { terminal } = context;
  const sync = await openPluginSet(context);
  if (action === 'enable') {
    const [report] = await checkHere(context, [id]);
    if (report?.outcome === 'problem') return refuse(context, report);
  }
  const plugin =
    action === 'enable' ? await enablePlugin(settingsOf(context), id) : await disableWith(context, id, withDependents);
  await sync();
  if (context.json) {
    terminal.printJson(plugin);
    return 0;
  }
  const kept = action === 'enable' ? `, pinned to version ${plugin.version}` : '; its data are kept';
  terminal.print(`${plugin.displayName} (${id}) is ${action}d at the next start${kept}.`);
  return 0;
}

async function disableWith(context: CommandContext, id: string, withDependents: boolean): Promise<PluginReport> {
  const settings = settingsOf(context);
  for (;;) {
    try {
      return await disablePlugin(settings, id);
    } catch (error) {
      const last = error instanceof PluginError ? error.dependents.at(-1) : undefined;
      if (!withDependents || last === undefined) throw error;
      await disablePlugin(settings, last);
    }
  }
}

function refuse({ terminal, json }: CommandContext, report: PluginCheckReport): number {
  if (json) terminal.printJson(report);
  else printReport(terminal, report);
  terminal.error(`gantry: ${report.displayName} (${report.plugin}) was not enabled.`);
  return 1;
}
