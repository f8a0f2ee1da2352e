import { setTimeout as delay } from 'node:timers/promises';
import type {
  GenerationsReport,
  PluginChange,
  PluginChangeAction,
  PluginCheckReport,
  PluginReport,
} from '@gantry/contracts';
import { unlessAborted } from '@gantry/core-common';
import { disablePlugin, enablePlugin, PluginError, syncForCommand } from '@gantry/host';
import { settingsOf, type CommandContext } from '../context/command-context';
import { interruptible } from '../common/interruption';
import { callPlatform, platformAddress } from '../context/running-platform';
import { withRemedy } from '../common/with-remedy';
import { checkHere, printReport } from './plugins-check';

/** `gantry plugins enable <id>` and `disable <id>`: at once where a platform runs, else from the next start on. */
export async function changePlugin(
  context: CommandContext,
  id: string,
  action: PluginChangeAction,
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
  )) as Answer;
  const isUnderWay = answer.change !== null && answer.takesEffect === 'at-once';
  const change = isUnderWay ? await untilEnded(context, address, answer.change) : answer.change;
  if (context.json) context.terminal.printJson({ ...answer, change });
  else reportChange(context, id, action, { ...answer, change });
  return change?.phase === 'failed' ? 1 : 0;
}

interface Answer {
  readonly takesEffect: GenerationsReport['changesTakeEffect'];
  readonly change: PluginChange | null;
  readonly report?: PluginCheckReport;
}

async function changeForNextStart(
  context: CommandContext,
  id: string,
  action: PluginChangeAction,
  withDependents: boolean,
): Promise<number> {
  const { terminal } = context;
  const sync = await openSet(context);
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

/**
 * The plugin set of a database that other hosts use, too. Without one (the embedded PostgreSQL does not run now) or while it
 * cannot be reached, the next start stores what is decided.
 * @returns what stores the decisions there
 */
async function openSet(context: CommandContext): Promise<() => Promise<void>> {
  const { home, databaseUrl, setFile } = settingsOf(context);
  if (setFile !== undefined) {
    throw withRemedy(
      `The plugins are those of the file ${setFile} (GANTRY_PLUGIN_SET), which no command changes.`,
      'Edit the file, or unset GANTRY_PLUGIN_SET.',
    );
  }
  if (!context.environment['DATABASE_URL']) return () => Promise.resolve();
  const sync = () => syncForCommand({ home, databaseUrl });
  if (!(await sync())) {
    context.terminal.note('The database cannot be reached; the next start stores the decision there.');
    return () => Promise.resolve();
  }
  return async () => void (await sync());
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

/** A killed host has restarted by then; otherwise the log of the platform explains more than this command can. */
const silenceTimeoutMs = 60_000;
const pollIntervalMs = 100;

/**
 * Follows a change that is under way. What answers in between may be the old or the new host, or for a moment none: a host
 * that is killed does not end the change.
 */
async function untilEnded(context: CommandContext, address: string, begun: PluginChange): Promise<PluginChange> {
  let shown = '';
  let answeredAt = performance.now();
  const read = async (): Promise<GenerationsReport | undefined> => {
    try {
      const report = (await callPlatform(context, address, '/api/platform/generations')) as GenerationsReport;
      answeredAt = performance.now();
      return report;
    } catch (error) {
      const isOver = platformAddress(context) === undefined || performance.now() - answeredAt > silenceTimeoutMs;
      if (isOver) throw error;
      return undefined;
    }
  };
  return interruptible('The change continues; see: gantry plugins list', async (signal) => {
    for (;;) {
      const report = await unlessAborted(read(), signal);
      if (report === undefined) {
        await delay(pollIntervalMs, undefined, { signal });
        continue;
      }
      const found = report.changes.find(({ id }) => id === begun.id);
      if (found === undefined) {
        throw withRemedy(
          'The platform restarted during the change.',
          'See which plugins it runs now: gantry plugins list',
        );
      }
      const step = [found.phase, found.step].filter(Boolean).join(': ');
      if (context.terminal.isWatched && step !== shown) context.terminal.note(step);
      shown = step;
      if (found.phase === 'done' || found.phase === 'failed') return found;
      await delay(pollIntervalMs, undefined, { signal });
    }
  });
}

function reportChange({ terminal }: CommandContext, id: string, action: PluginChangeAction, answer: Answer): void {
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
