import type { PluginCheckReport, PluginReport } from '@gantry/contracts';
import { disablePlugin, enablePlugin, PluginError } from '@gantry/host';
import { settingsOf, type CommandContext } from '../context/command-context';
import { callPlatform, platformAddress } from '../context/running-platform';
import { checkHere, printReport } from './plugins-check';
import { openPluginSet } from '../context/open-plugin-set';
import { untilChanged, type ChangeAnswer } from './until-changed';

/** `gantry plugins enable <id>` and `disable <id>`: at once where a platform runs, else from the next start on. */
export async function changePlugin(
  context: CommandContext,
  id: string,
  action: 'enable' | 'disable',
  withDependents = false,
): Promise<number> {
  const address = platformAddress(context);
  if (address === undefined) return changeForNextStart(context, id, action, withDependents);
  const body = withDependents ? { dependents: true } : {};
  const answer = (await callPlatform(
    context,
    address,
    `/api/platform/plugins/${encodeURIComponent(id)}/${action}`,
    body,
  )) as ChangeAnswer;
  const isUnderWay = answer.change !== null && answer.takesEffect === 'at-once';
  const change = isUnderWay ? await untilChanged(context, address, answer.change) : answer.change;
  if (context.json) context.terminal.printJson({ ...answer, change });
  else reportChange(context, id, action, { ...answer, change });
  return change?.phase === 'failed' ? 1 : 0;
}

async function changeForNextStart(
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

function reportChange(
  { terminal }: CommandContext,
  id: string,
  action: 'enable' | 'disable',
  answer: ChangeAnswer,
): void {
  const { change, takesEffect, report } = answer;
  for (const { outcome, message, remedy } of report?.lines ?? []) {
    if (outcome === 'warning') terminal.note(`Warning: ${message}\n  ${remedy ?? ''}`);
  }
  if (change === null) {
    terminal.print(`${id} is ${action}d already.`);
    return;
  }
  if (change.phase === 'failed') {
    const { message = '', remedy = '' } = change.error ?? {};
    terminal.error(`gantry: ${id} was not ${action}d, and the plugins are unchanged: ${message}\n  ${remedy}`);
    return;
  }
  const others = change.plugins.filter((plugin) => plugin !== id);
  const when = takesEffect === 'at-once' ? 'now' : 'at the next start';
  const kept = action === 'enable' ? `pinned to version ${report?.version ?? ''}` : 'its data are kept';
  terminal.print(`${[id, ...others].join(', ')} ${others.length > 0 ? 'are' : 'is'} ${action}d ${when}; ${kept}.`);
}
