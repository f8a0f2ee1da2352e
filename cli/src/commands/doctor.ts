import { unlessAborted } from '@gantry/core-common';
import type { HostConfig } from '@gantry/host/config';
import { readSettings } from '@gantry/launcher/read-settings';
import { checkDatabase } from '../doctor/check-database';
import { checkDisk, checkHold, checkHome, checkNode, checkPort } from '../doctor/check-machine';
import { checkPlugins } from '../doctor/check-plugins';
import { checkTemporal } from '../doctor/check-temporal';
import type { Check } from '../doctor/check';
import { settingsOf, type CommandContext } from '../context/command-context';
import { interruptible } from '../common/interruption';

/** `gantry doctor`: everything is checked, also behind what fails. */
export async function examine(context: CommandContext): Promise<number> {
  // A database that is started to be looked at must not stay behind.
  const checks = await interruptible('Nothing was changed.', (signal) => examineAll(context, signal));
  const isFailed = checks.some(({ status }) => status === 'fail');
  if (context.json) context.terminal.printJson(checks);
  else print(context, checks);
  return isFailed ? 1 : 0;
}

async function examineAll(context: CommandContext, signal: AbortSignal): Promise<readonly Check[]> {
  const config = settingsFor(context);
  const checks: Check[] = [
    checkNode(process.versions.node),
    checkHome(config.home),
    ...checkHold(config.home),
    await checkDisk(config.home),
    await checkPort(config),
  ];
  const plugins = await unlessAborted(checkPlugins(context, config), signal);
  checks.push(
    ...plugins.checks,
    ...(await checkDatabase(context, config, plugins.schemas, signal)),
    ...(await unlessAborted(checkTemporal(context, config), signal)),
  );
  return checks;
}

/** A home that cannot be read is one of the problems to report. */
function settingsFor(context: CommandContext): HostConfig {
  const settings = readSettings(context.environment);
  try {
    return settingsOf(context);
  } catch {
    return settings;
  }
}

function print({ terminal }: CommandContext, checks: readonly Check[]): void {
  const { green, yellow, red } = terminal.colours;
  const marks = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') };
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { status, name, message, remedy } of checks) {
    terminal.print(`${marks[status]}  ${name.padEnd(width)}  ${message}`);
    if (remedy !== undefined) terminal.print(`${' '.repeat(width + 8)}${remedy}`);
  }
}
