import { Declined } from '../../common/failure';
import type { PluginChange, PluginCheckReport } from '@gantry/contracts';
import { uninstallPlugin } from '@gantry/host';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { openPluginSet } from '../../context/open-plugin-set';
import { callRoute, platformAddress } from '../../context/running-platform';
import { assertAskable, confirm } from '../../terminal/confirm';
import { openHomePlace } from './local-packages';
import type { CheckedPackage, PackagePlace } from './package-place';
import { printReport } from './plugins-check';
import { openRemotePlace } from './remote-packages';
import { noteDurations, untilChanged, type ChangeAnswer } from './until-changed';

export interface InstallChoices {
  readonly disabled: boolean;
  readonly yes: boolean;
}

/** `gantry plugins install <source>`: a package of npm, a tarball or a folder. */
export async function installFrom(
  context: CommandContext,
  source: string,
  { disabled, yes }: InstallChoices,
): Promise<number> {
  const place = await openPlace(context);
  const fetched = await place({ action: 'install', source });
  if ('newest' in fetched) return 0;
  const { terminal } = context;
  const done = disabled ? 'installed' : 'installed and enabled';
  return carryOut(context, fetched, {
    ...{ action: 'install', yes, enabled: !disabled },
    show: (report) => {
      for (const { outcome, message, remedy } of report.lines) {
        if (outcome === 'warning') terminal.note(`Warning: ${message}\n  ${remedy ?? ''}`);
      }
    },
    done: (when) =>
      `${titleOf(fetched)} ${fetched.installed.version} is ${done} ${when}${originOf(fetched)}.${
        disabled ? ` To enable it: gantry plugins enable ${fetched.plugin}` : ''
      }`,
  });
}

/** `gantry plugins upgrade <id>` */
export async function upgradeTo(
  context: CommandContext,
  plugin: string,
  { to, yes }: { readonly to: string | undefined; readonly yes: boolean },
): Promise<number> {
  const { terminal } = context;
  const place = await openPlace(context);
  const fetched = await place({ action: 'upgrade', plugin, to });
  if ('newest' in fetched) {
    if (context.json) terminal.printJson({ change: null, newest: fetched.newest });
    else terminal.print(`${plugin} ${fetched.newest} is the newest version.`);
    return 0;
  }
  const { version } = fetched.installed;
  const step = `from version ${fetched.replaces ?? 'unknown'} to ${version}`;
  return carryOut(context, fetched, {
    ...{ action: 'upgrade', yes, enabled: true },
    show: (report) => {
      if (context.json) return;
      terminal.print(`${titleOf(fetched)} ${step}${originOf(fetched)}`);
      printReport(terminal, report);
    },
    done: (when) => `${titleOf(fetched)} is upgraded ${step} ${when}.`,
  });
}

interface Work {
  readonly action: 'install' | 'upgrade';
  /** Whether destructive statements need no confirmation. */
  readonly yes: boolean;
  readonly enabled: boolean;
  /** Before the change. */
  show(report: PluginCheckReport): void;
  /** The sentence for a change that has ended. */
  done(when: string): string;
}

async function carryOut(
  context: CommandContext,
  fetched: CheckedPackage,
  { action, yes, enabled, show, done }: Work,
): Promise<number> {
  const { terminal } = context;
  const { report, installed } = fetched;
  if (report.outcome === 'problem') return refuse(context, report, action);
  show(report);
  if (!(await isConfirmed(context, report, yes, action))) throw new Declined('Nothing was changed.');
  const answer = await fetched.apply(enabled);
  const ended = await followed(context, answer);
  if (context.json) terminal.printJson({ ...answer, change: ended, installed, report });
  else {
    reportChange(context, fetched, { ...answer, change: ended }, done);
    noteDurations(terminal, { ...answer, change: ended });
  }
  return ended?.phase === 'failed' ? 1 : 0;
}

function openPlace(context: CommandContext): Promise<PackagePlace> {
  return context.url === undefined ? openHomePlace(context) : Promise.resolve(openRemotePlace(context, context.url));
}

function titleOf({ displayName, plugin }: CheckedPackage): string {
  return `${displayName} (${plugin})`;
}

function originOf({ installed: { from, integrity } }: CheckedPackage): string {
  return integrity === undefined ? `, from ${from}` : `, from ${from} (${integrity})`;
}

function refuse(context: CommandContext, report: PluginCheckReport, action: Work['action']): number {
  const { terminal, json } = context;
  if (json) terminal.printJson(report);
  else printReport(terminal, report);
  terminal.error(`gantry: ${report.displayName} (${report.plugin}) was not ${pastOf[action]}.`);
  return 1;
}

const pastOf = { install: 'installed', upgrade: 'upgraded' } as const;

async function isConfirmed(
  { terminal }: CommandContext,
  { lines, displayName }: PluginCheckReport,
  yes: boolean,
  action: Work['action'],
): Promise<boolean> {
  const destructive = lines.find(({ rule }) => rule === 'schema/destructive');
  if (destructive === undefined || yes) return true;
  for (const detail of destructive.details ?? []) terminal.note(detail);
  assertAskable(terminal, yes, `The ${action} removes or changes values (${destructive.message}). It`);
  return confirm(terminal, `${destructive.message}. ${displayName} is ${pastOf[action]} anyway?`);
}

/** The change when it has ended. */
async function followed(context: CommandContext, { change, takesEffect }: ChangeAnswer): Promise<PluginChange | null> {
  if (change === null || takesEffect === 'next-start' || platformAddress(context) === undefined) return change;
  return untilChanged(context, change);
}

function reportChange(
  { terminal }: CommandContext,
  fetched: CheckedPackage,
  { change, takesEffect }: ChangeAnswer,
  done: Work['done'],
): void {
  const { plugin, installed } = fetched;
  if (change === null) {
    terminal.print(`${plugin} is already version ${installed.version} of that package.`);
  } else if (change.phase === 'failed') {
    const { message = '', remedy = '' } = change.error ?? {};
    terminal.error(`gantry: the change failed, and the plugins are unchanged: ${message}\n  ${remedy}`);
  } else {
    terminal.print(done(takesEffect === 'at-once' ? 'now' : 'at the next start'));
  }
}

/** `gantry plugins uninstall <id>` */
export async function uninstall(context: CommandContext, plugin: string, disable: boolean): Promise<number> {
  const { terminal } = context;
  const answer: ChangeAnswer =
    platformAddress(context) === undefined
      ? await uninstallHere(context, plugin, disable)
      : (
          await callRoute(
            'POST',
            '/api/platform/plugins/{id}/uninstall',
            { path: { id: plugin }, body: { disable } },
            context,
          )
        ).data;
  const change = await followed(context, answer);
  if (!context.json) noteDurations(terminal, { ...answer, change });
  if (context.json) terminal.printJson({ ...answer, change });
  else if (change?.phase === 'failed') {
    const { message = '', remedy = '' } = change.error ?? {};
    terminal.error(`gantry: ${plugin} was not uninstalled: ${message}\n  ${remedy}`);
  } else {
    const when = answer.takesEffect === 'at-once' ? 'now' : 'at the next start';
    terminal.print(
      `${plugin} is uninstalled ${when}; its data are kept. To delete them: gantry plugins purge ${plugin}`,
    );
  }
  return change?.phase === 'failed' ? 1 : 0;
}

async function uninstallHere(context: CommandContext, plugin: string, disable: boolean): Promise<ChangeAnswer> {
  const store = await openPluginSet(context);
  await uninstallPlugin(settingsOf(context), plugin, disable);
  await store();
  return { takesEffect: 'next-start', change: null };
}
