import { performance } from 'node:perf_hooks';
import type {
  PluginCheckLine,
  PluginCheckOutcome,
  PluginCheckReport,
  PluginDecision,
  PluginProblem,
} from '@gantry/contracts';
import { prepareCheck, type Manifest, type PreparedCheck, type CheckedPlugin } from '@gantry/core-loader';
import { settingPrefix, settingsOf } from './check-environment';
import { deprecationLines, linesOfProblems, okLine, problemLine, warningLine } from './check-lines';
import type { CheckFindings } from './process/check-messages';
import type { CheckOptions } from './check-options';
import type { CheckProblemCode } from './check-problems';
import { packageLines } from './package-lines';
import { runCheckProcess, type CheckProcessOutcome } from './process/run-check-process';
import { maxLines } from '@gantry/core-common';
import { testsLines } from './tests-lines';
import { schemaLines } from './schema-lines';
import type { CheckTarget, PackageSource } from './sources/check-target';

/** The findings of a check, and the decisions that would enable the checked plugins. */
export interface PluginsCheck {
  readonly reports: readonly PluginCheckReport[];
  /** Pins every checked plugin to what was checked. */
  readonly decisions: ReadonlyMap<string, PluginDecision>;
}

/**
 * Proves plugins safe before they are enabled, all of them together: as if they were enabled, in the set that is enabled
 * now. Their code runs in a separate process, so that a plugin that hangs, exits or crashes harms nothing. Changes nothing.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_STATE_DAMAGED; the signal's reason when it aborts
 */
export async function checkPlugins(options: CheckOptions, targets: readonly CheckTarget[]): Promise<PluginsCheck> {
  const startedAt = performance.now();
  const prepared = await prepareCheck(options.config, targets);
  const sound = prepared.plugins.filter(({ problems }) => problems.length === 0);
  const outcome =
    sound.length === 0
      ? undefined
      : await runCheckProcess({
          config: options.config,
          environment: options.environment,
          program: options.program,
          decisions: prepared.decisions,
          folders: prepared.folders,
          candidates: sound.flatMap(({ id, manifest }) =>
            manifest === undefined ? [] : { id, settings: settingsOf(manifest, options.environment) },
          ),
          timeoutMs: options.timeoutMs ?? 60_000,
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        });
  const duration = Math.round(performance.now() - startedAt);
  const reports: PluginCheckReport[] = [];
  for (const plugin of prepared.plugins) {
    const found = [...staticLines(plugin, prepared, await packageLines(plugin)), ...runLines(plugin, outcome)];
    // One after the other: each may need the whole machine.
    const isTested = options.tests !== undefined && worstOutcome(found) !== 'problem';
    const all = isTested ? [...found, ...(await testsLines(plugin, options))] : found;
    const source = targets.find((target) => typeof target !== 'string' && target.folder === plugin.folder);
    reports.push(reportOf(plugin, typeof source === 'object' ? nameOrigin(all, source) : all, duration));
  }
  return { decisions: prepared.decisions, reports };
}

function reportOf(
  { id, displayName, version, contentHash }: CheckedPlugin,
  lines: readonly PluginCheckLine[],
  duration: number,
): PluginCheckReport {
  return {
    plugin: id,
    displayName,
    version,
    ...(contentHash === undefined ? {} : { contentHash }),
    outcome: worstOutcome(lines),
    lines,
    duration,
  };
}

function worstOutcome(lines: readonly PluginCheckLine[]): PluginCheckOutcome {
  if (lines.some(({ outcome }) => outcome === 'problem')) return 'problem';
  return lines.some(({ outcome }) => outcome === 'warning') ? 'warning' : 'ok';
}

/** Results that need no code to run. */
function staticLines(
  plugin: CheckedPlugin,
  prepared: PreparedCheck,
  contents: readonly PluginCheckLine[],
): readonly PluginCheckLine[] {
  const problems = linesOfProblems(plugin.problems);
  const isFine = (part: PluginCheckLine['part']): boolean => problems.every((line) => line.part !== part);
  if (plugin.manifest === undefined) return problems;
  const { packageName, version, pluginApiRange, dependsOn, contributes } = plugin.manifest;
  const needed = Object.entries(dependsOn).map(([id, range]) => `${id} ${range}`);
  const names = [...contributes.itemTypes, ...contributes.taskQueues, ...contributes.routes];
  const needs = `it needs @gantry/plugin-api ${pluginApiRange}, and this host has ${prepared.pluginApiVersion}`;
  const dependsOnText =
    needed.length === 0
      ? 'It depends on no other plugin'
      : `It depends on ${needed.join(', ')}, which ${needed.length === 1 ? 'is' : 'are'} enabled`;
  const fine = [
    okLine('package/location', `${packageName} ${version} in ${plugin.folder}`),
    ...contents,
    okLine('manifest/valid', `The manifest is valid; ${needs}`),
    okLine('dependencies/enabled', dependsOnText),
    okLine('names/free', namesText(names.length)),
    ...manifestLines(plugin.manifest),
  ];
  return [...fine.filter(({ part }) => isFine(part)), integrityLine(plugin), ...problems];
}

function namesText(count: number): string {
  if (count === 0) return 'It contributes no names';
  return `No other plugin has ${count === 1 ? 'the name' : `one of the ${count} names`} that it contributes`;
}

function manifestLines({ systemScope, network = [], settings = [] }: Manifest): readonly PluginCheckLine[] {
  const scope = `Its routes may use all items, not only those of their callers (gantry.systemScope): ${systemScope}`;
  const variables = `Its code gets these variables of the environment (gantry.settings): ${settings.join(', ')}`;
  const hosts = `Its code reaches these hosts while it is loaded, as its manifest says (gantry.network): ${network.join(', ')}`;
  return [
    ...(systemScope === undefined ? [] : [okLine('manifest/system-scope', scope)]),
    ...(network.length === 0 ? [] : [okLine('manifest/network', hosts)]),
    ...(settings.length === 0 ? [] : [okLine('manifest/settings', variables)]),
  ];
}

function integrityLine({ id, contentHash = '', pinned, isElsewhere, isInstalled }: CheckedPlugin): PluginCheckLine {
  if (isInstalled && pinned !== undefined && pinned.contentHash !== contentHash) {
    return okLine(
      'integrity/pin',
      `${contentHash}; takes the place of version ${pinned.version} (${pinned.contentHash})`,
    );
  }
  if (pinned === undefined || pinned.contentHash === contentHash) {
    const state =
      pinned === undefined ? 'enabling pins the plugin to these files' : 'these are the files that were enabled';
    return okLine('integrity/pin', `${contentHash}; ${state}`);
  }
  const message = `The files are not those that were enabled (version ${pinned.version}, ${pinned.contentHash})`;
  const place = isElsewhere ? 'put the package where the platform finds it; ' : '';
  const remedy = `Review the change; ${place}enabling pins the new files: gantry plugins enable ${id}`;
  return warningLine('integrity/changed', message, { remedy });
}

function runLines(plugin: CheckedPlugin, outcome: CheckProcessOutcome | undefined): readonly PluginCheckLine[] {
  if (outcome === undefined || plugin.problems.length > 0) return [];
  if (outcome.kind === 'broken-off') {
    const isOwn = outcome.plugin === undefined || outcome.plugin === plugin.id;
    return isOwn ? [openNetwork, problemLine('code', outcome)] : [notReached(outcome.plugin)];
  }
  const findings: CheckFindings | undefined = outcome.findings.find(({ id }) => id === plugin.id);
  if (findings === undefined) return [];
  const code = checkedCodeLines(findings, plugin.manifest);
  if (findings.problems.length > 0) return code;
  return [...code, ...schemaLines(findings), ...workflowLines(findings)];
}

function notReached(other: string | undefined): PluginCheckLine {
  return problemLine('code', {
    code: 'CHECK_BROKEN_OFF' satisfies CheckProblemCode,
    message: `${other === undefined ? 'Another plugin' : `The plugin ${other}`} ended the check`,
    remedy: 'Check this plugin alone',
  });
}

/** Results of loading and registering the code. */
function checkedCodeLines(findings: CheckFindings, manifest: Manifest | undefined): readonly PluginCheckLine[] {
  const { problems, notes, registered } = findings;
  if (problems.length > 0) {
    return [
      openNetwork,
      ...problems.flatMap((problem) => settingsLine(problem, manifest) ?? linesOfProblems([problem])),
    ];
  }
  const brings = registered.length === 0 ? 'nothing' : registered.join(', ');
  const message = `It was loaded in a separate process and registered what its manifest names: ${brings}`;
  return [
    okLine('code/registered', message),
    ...extraFieldLines(manifest),
    openNetwork,
    ...floodLines(findings),
    ...deprecationLines(findings.deprecations),
    ...notes.map((note) => warningLine('code/note', note, {})),
  ];
}

/** Who sees what the plugin adds, as soon as it is enabled. */
function extraFieldLines(manifest: Manifest | undefined): readonly PluginCheckLine[] {
  const names = manifest?.contributes.extraFields ?? [];
  if (names.length === 0) return [];
  const message = `It adds ${names.join(', ')}: roles with all fields of the type have them at once; the role public, and roles that name fields, do not`;
  return [okLine('code/extra-fields', message)];
}

/** A plugin that does not name its settings gets none in a check, although it may have them when it runs. */
function settingsLine({ code, reason }: PluginProblem, manifest: Manifest | undefined): PluginCheckLine | undefined {
  if (code !== 'CONFIG_INVALID' || manifest === undefined || manifest.settings !== undefined) return undefined;
  const message = `Its settings could not be read in the check, and so its code was not registered: ${reason}`;
  const prefix = `${settingPrefix(manifest.id)}…`;
  const remedy =
    `Name the environment variables that it reads in gantry.settings of its package.json:` +
    ` a check passes only those, and those that begin with ${prefix}`;
  return warningLine('code/settings', message, { remedy });
}

function floodLines({ lines }: CheckFindings): readonly PluginCheckLine[] {
  if (lines <= maxLines) return [];
  const message = `It printed and logged ${lines.toLocaleString('en')} lines while it was loaded; the platform writes ${maxLines.toLocaleString('en')} in five seconds and drops the others`;
  return [warningLine('code/log-flood', message, { remedy: 'Log what an operator needs to know' })];
}

/** The process that loads the code needs PostgreSQL and Temporal afterwards. */
const openNetwork = okLine(
  'code/network',
  'The network was open while its code was loaded: the check neither refused nor listed its requests',
);

/** Whether the open workflows of a service can continue with the bundle that was checked. */
function workflowLines({ id, workflows }: CheckFindings): readonly PluginCheckLine[] {
  if (workflows === undefined) return [];
  const { taskQueue } = workflows;
  if (workflows.kind === 'unknown') {
    return [warningLine('workflows/unknown', workflows.reason, { remedy: workflows.remedy })];
  }
  const { count, isPartial, failures } = workflows;
  const failed = failures.map(({ workflowId, reason }) =>
    problemLine('workflows', {
      code: 'WORKFLOW_INCOMPATIBLE' satisfies CheckProblemCode,
      message: `The open workflow ${workflowId} cannot continue with this code: ${reason}`,
      remedy: `Let it finish with the code that started it, or keep the old path in ${id} with patched()`,
    }),
  );
  if (isPartial) {
    const message = `Only the ${count} latest open workflows of the queue ${taskQueue} were replayed; there are more`;
    const remedy = 'Check again when fewer workflows are open, or replay stored histories in a test of the plugin';
    return [...failed, warningLine('workflows/partial', message, { remedy })];
  }
  if (failed.length > 0) return failed;
  const found =
    count === 0 ? 'no workflow is open' : `${count} open workflow${count === 1 ? '' : 's'} can continue with this code`;
  return [okLine('workflows/replayed', `The workflow bundle of the queue ${taskQueue} was loaded; ${found}`)];
}

/** Lines in which a temporary copy is called what a person named. */
function nameOrigin(
  lines: readonly PluginCheckLine[],
  { folder, origin = folder }: PackageSource,
): readonly PluginCheckLine[] {
  const named = (text: string): string => text.replaceAll(folder, () => origin);
  return lines.map((line) => ({
    ...line,
    message: named(line.message),
    ...(line.remedy === undefined ? {} : { remedy: named(line.remedy) }),
    ...(line.details === undefined ? {} : { details: line.details.map(named) }),
  }));
}
