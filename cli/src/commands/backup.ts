import { Declined } from '../common/failure';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { endHold, readHold } from '@gantry/core-common';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { backupHome, restoreHome, verifyBackup } from '@gantry/launcher/backup';
import { settingsOf, type CommandContext } from '../context/command-context';
import { interruptible } from '../common/interruption';
import { confirm } from '../terminal/confirm';
import { counted } from '../terminal/table';
import { withRemedy } from '../common/with-remedy';

/** `gantry backup <folder>` */
export async function backup(context: CommandContext, folder: string): Promise<number> {
  const { home } = settingsOf(context);
  const report = await interruptible('No backup was written.', (signal) =>
    backupHome({ home, target: resolve(folder), environment: context.environment, signal, onProgress: notes(context) }),
  );
  if (context.json) {
    context.terminal.printJson(report);
    return 0;
  }
  const { tables, rows, files, size, temporalPausedMs, leftOut } = report;
  context.terminal.print(
    `Backed up ${home} to ${report.folder}: ${contents({ tables, rows, files })}, ${megabytes(size)}.`,
  );
  if (temporalPausedMs !== undefined) context.terminal.print(`Temporal was paused for ${temporalPausedMs} ms.`);
  for (const object of leftOut) context.terminal.note(`Not part of the backup: ${object}.`);
  return 0;
}

/** `gantry restore <backup>` */
export async function restore(
  context: CommandContext,
  folder: string,
  { replace, yes }: { readonly replace: boolean; readonly yes: boolean },
): Promise<number> {
  const { home } = settingsOf(context);
  if (replace && !yes && !(await mayReplace(context, home))) {
    throw new Declined('Nothing was changed.');
  }
  const report = await interruptible('Nothing was changed.', (signal) =>
    restoreHome({
      backup: resolve(folder),
      home,
      replace,
      environment: context.environment,
      signal,
      onProgress: notes(context),
    }),
  );
  if (context.json) {
    context.terminal.printJson(report);
    return 0;
  }
  const { terminal } = context;
  terminal.print(`Restored the backup of ${report.createdAt} into ${home}: ${contents(report)}.`);
  if (report.movedAside !== undefined) terminal.print(`The earlier home is now in ${report.movedAside}.`);
  terminal.print('The platform is on hold: content can be seen and edited; no worker runs and no mail is sent.');
  terminal.print('Start it with "gantry up", check it, and end the hold with "gantry resume".');
  return 0;
}

/** A script has to confirm with an option; a person is asked. */
async function mayReplace({ terminal }: CommandContext, home: string): Promise<boolean> {
  if (!terminal.isWatched || !process.stdin.isTTY) {
    throw withRemedy(
      '--replace moves the current home aside and needs a confirmation.',
      'Add --yes to confirm without a terminal.',
    );
  }
  return confirm(terminal, `Move ${home} aside and restore the backup in its place?`);
}

/** `gantry verify <backup>` */
export async function verify(context: CommandContext, folder: string, deep: boolean): Promise<number> {
  const report = await interruptible('The backup was not changed.', (signal) =>
    verifyBackup({ backup: resolve(folder), deep, signal, onProgress: notes(context) }),
  );
  if (context.json) {
    context.terminal.printJson(report);
    return 0;
  }
  const { createdAt, platformVersion, postgresVersion } = report;
  const how = deep ? 'is complete and can be restored' : 'is complete';
  context.terminal.print(
    `The backup of ${createdAt} (Gantry ${platformVersion}, PostgreSQL ${postgresVersion}) ${how}: ${contents(report)}.`,
  );
  return 0;
}

/** `gantry resume` */
export function resume(context: CommandContext): Promise<number> {
  const { home } = settingsOf(context);
  if (!existsSync(home)) {
    return Promise.reject(withRemedy(`There is no folder ${home}.`, 'Name the home of the platform with --home.'));
  }
  const hold = readHold(home);
  endHold(home);
  const isRunning = findRunningPlatform(home) !== undefined;
  if (context.json) {
    context.terminal.printJson({ home, wasOnHold: hold !== undefined, isRunning });
  } else if (hold === undefined) {
    context.terminal.print(`${home} is not on hold.`);
  } else {
    const when = isRunning ? 'Its workers start now' : 'Its workers start with the next "gantry up"';
    context.terminal.print(`The hold of ${home} has ended. ${when}.`);
  }
  return Promise.resolve(0);
}

function notes({ terminal, json }: CommandContext): (step: string) => void {
  return (step) => {
    if (!json && terminal.isWatched) terminal.note(`${step} ...`);
  };
}

function contents({ tables, rows, files }: { readonly tables: number; readonly rows: number; readonly files: number }) {
  return `${counted(tables, 'table')} with ${counted(rows, 'row')}, ${counted(files, 'file')}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
