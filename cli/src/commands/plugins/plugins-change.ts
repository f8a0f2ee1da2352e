import type { CommandContext } from '../../context/command-context';
import { callRoute, platformAddress } from '../../context/running-platform';
import { noteDurations, untilChanged, type ChangeAnswer } from './until-changed';

/** `gantry plugins enable <id>` and `disable <id>`: at once where a platform runs, else from the next start on. */
export async function changePlugin(
  context: CommandContext,
  id: string,
  action: 'enable' | 'disable',
  withDependents = false,
): Promise<number> {
  if (platformAddress(context) === undefined) {
    const { changeForNextStart } = await import('./plugins-next-start.js');
    return changeForNextStart(context, id, action, withDependents);
  }
  const body = withDependents ? { dependents: true } : {};
  const path = { id };
  const { data: answer } =
    action === 'enable'
      ? await callRoute('POST', '/api/platform/plugins/{id}/enable', { path }, context)
      : await callRoute('POST', '/api/platform/plugins/{id}/disable', { path, body }, context);
  const isUnderWay = answer.change !== null && answer.takesEffect === 'at-once';
  const change = isUnderWay ? await untilChanged(context, answer.change) : answer.change;
  if (context.json) context.terminal.printJson({ ...answer, change });
  else {
    reportChange(context, id, action, { ...answer, change });
    noteDurations(context.terminal, { ...answer, change });
  }
  return change?.phase === 'failed' ? 1 : 0;
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
