import type { PluginCheckOutcome, PluginCheckReport } from '@gantry/contracts';
import { checkPlugins, inspectPlugins, PluginError, withSources, type CheckTarget } from '@gantry/host';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { withRemedy } from '../../common/with-remedy';
import { plain, plainLines } from '../../common/plain';
import { interruptible } from '../../common/interruption';
import type { Colours } from '../../terminal/colours';
import type { Terminal } from '../../terminal/terminal';
import { withDatabase } from '../../context/with-database';

/**
 * `gantry plugins check [plugin…]`: proves plugins safe before they are enabled. Changes nothing.
 * @param words ids, folders, tarballs and names of npm
 */
export async function checkNamedPlugins(
  context: CommandContext,
  words: readonly string[],
  withTests: boolean,
): Promise<number> {
  const chosen = words.length > 0 ? words : (await inspectPlugins(settingsOf(context))).plugins.map(({ id }) => id);
  // All there are need not get on with each other; those that were named are to be enabled together.
  const groups = words.length > 0 ? [chosen] : chosen.map((id) => [id]);
  const reports: PluginCheckReport[] = [];
  for (const group of groups) reports.push(...(await checkSources(context, group, withTests)));
  if (context.json) context.terminal.printJson(reports);
  else for (const report of reports) printReport(context.terminal, report);
  return reports.some(({ outcome }) => outcome === 'problem') ? 1 : 0;
}

function checkSources(
  context: CommandContext,
  words: readonly string[],
  withTests: boolean,
): Promise<readonly PluginCheckReport[]> {
  const { project } = settingsOf(context);
  return interruptible(consequence, (signal) =>
    withSources(words, { project, environment: context.environment, signal }, (targets) =>
      checkHere(context, targets, withTests),
    ),
  ).catch((error: unknown) => {
    throw withOtherSources(words, error);
  });
}

/** A word that is no id may be meant as a path or as a package of npm. */
function withOtherSources(words: readonly string[], error: unknown): unknown {
  if (!(error instanceof PluginError) || error.code !== 'PLUGIN_UNKNOWN') return error;
  const unknown = words.find((word) => error.message.startsWith(`There is no plugin ${word};`));
  if (unknown === undefined) return error;
  return withRemedy(
    error.message,
    `Name one of these ids, a folder or a tarball (./${unknown}), or a package of npm (${unknown}@latest)`,
    error,
  );
}

const consequence = 'Nothing was changed.';

/** The check in this command's own surroundings; a database that is not to be had is a warning of the check. */
export function checkHere(
  context: CommandContext,
  targets: readonly CheckTarget[],
  withTests = false,
): Promise<readonly PluginCheckReport[]> {
  const settings = settingsOf(context);
  const environment = { ...context.environment, ...findRunningPlatform(settings.home)?.environment };
  return interruptible(consequence, async (signal) => {
    const check = async (databaseUrl?: string): Promise<readonly PluginCheckReport[]> => {
      const { databaseUrl: _embedded, ...config } = settings;
      const database = databaseUrl === undefined ? {} : { databaseUrl };
      const tests = withTests ? { tests: {} } : {};
      const options = { config: { ...config, ...database }, environment, signal, ...tests };
      return (await checkPlugins(options, targets)).reports;
    };
    const outcome = await withDatabase(context, 'gantry plugins check', signal, async ({ databaseUrl }) => ({
      reports: await check(databaseUrl),
    })).catch((error: unknown) => {
      // A problem of the plugins themselves would be the same again.
      if (signal.aborted || isAboutPlugins(error)) throw error;
      return undefined;
    });
    return outcome?.reports ?? check();
  });
}

function isAboutPlugins(error: unknown): boolean {
  return error instanceof Error && error.name === 'PluginError';
}

/** The report for a person. */
export function printReport({ print, colours }: Terminal, report: PluginCheckReport): void {
  const { displayName, plugin, version, outcome: worst } = report;
  print(colours.bold(plain(`${displayName} (${plugin}) ${version}: ${verdicts[worst]}`)));
  for (const { rule, outcome, message, remedy, details = [] } of report.lines) {
    print(`  ${mark(outcome, colours)} ${rule.padEnd(ruleWidth)} ${plainLines(message)}`);
    for (const text of [remedy ?? [], ...details].flat()) {
      for (const line of plainLines(text).split('\n')) print(`${' '.repeat(indent)}${colours.dim(line)}`);
    }
  }
}

/** Longer ones are those of rare problems. */
const ruleWidth = 24;

/** Where messages begin. */
const indent = ruleWidth + 11;

const verdicts: Readonly<Record<PluginCheckOutcome, string>> = {
  ok: 'it can be enabled',
  warning: 'it can be enabled; read the warnings',
  problem: 'it cannot be enabled',
};

function mark(outcome: PluginCheckOutcome, colours: Colours): string {
  switch (outcome) {
    case 'ok':
      return colours.green('ok     ');
    case 'warning':
      return colours.yellow('warning');
    case 'problem':
      return colours.red('problem');
  }
}
