import { performance } from 'node:perf_hooks';
import type { PluginCheckLine, PluginCheckOutcome, PluginCheckReport, PluginDecision } from '@gantry/contracts';
import { prepareTrial, type Manifest, type PluginTrial, type TrialPlugin } from '../plugins';
import { linesOfProblems } from './check-lines';
import type { CheckFindings } from './check-messages';
import type { CheckOptions } from './check-options';
import type { CheckProblemCode } from './check-problems';
import { runCheckProcess, type CheckProcessOutcome } from './run-check-process';
import { schemaLines } from './schema-lines';

/** What a check found, and the decisions that would enable what was checked. */
export interface PluginsCheck {
  readonly reports: readonly PluginCheckReport[];
  /** Pins every checked plugin to what was checked. */
  readonly decisions: ReadonlyMap<string, PluginDecision>;
}

/**
 * Proves plugins safe before they are enabled, all of them together: as if they were enabled, in the set that is enabled
 * now. Their code runs in a separate process, so that a plugin that hangs, exits or crashes harms nothing. Changes nothing.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_STATE_DAMAGED; the signal's reason when it aborts
 */
export async function checkPlugins(options: CheckOptions, ids: readonly string[]): Promise<PluginsCheck> {
  const startedAt = performance.now();
  const trial = await prepareTrial(options.config, ids);
  const sound = trial.plugins.filter(({ problems }) => problems.length === 0);
  const outcome =
    sound.length === 0
      ? undefined
      : await runCheckProcess({
          config: options.config,
          environment: options.environment,
          decisions: trial.decisions,
          ids: sound.map(({ id }) => id),
          timeoutMs: options.timeoutMs ?? 60_000,
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        });
  const duration = Math.round(performance.now() - startedAt);
  return {
    decisions: trial.decisions,
    reports: trial.plugins.map((plugin) => {
      const lines = [...staticLines(plugin, trial), ...runLines(plugin, outcome)];
      return {
        plugin: plugin.id,
        displayName: plugin.displayName,
        version: plugin.version,
        ...(plugin.contentHash === undefined ? {} : { contentHash: plugin.contentHash }),
        outcome: gravest(lines),
        lines,
        duration,
      };
    }),
  };
}

function gravest(lines: readonly PluginCheckLine[]): PluginCheckOutcome {
  if (lines.some(({ outcome }) => outcome === 'problem')) return 'problem';
  return lines.some(({ outcome }) => outcome === 'warning') ? 'warning' : 'ok';
}

/** What can be known without running code. */
function staticLines(plugin: TrialPlugin, trial: PluginTrial): readonly PluginCheckLine[] {
  const problems = linesOfProblems(plugin.problems);
  const isFine = (part: PluginCheckLine['part']): boolean => problems.every((line) => line.part !== part);
  if (plugin.manifest === undefined) return problems;
  const { packageName, version, pluginApiRange, dependsOn, contributes } = plugin.manifest;
  const needed = Object.entries(dependsOn).map(([id, range]) => `${id} ${range}`);
  const names = [...contributes.itemTypes, ...contributes.taskQueues, ...contributes.routes];
  const fine: readonly PluginCheckLine[] = [
    { part: 'package', outcome: 'ok', message: `${packageName} ${version} in ${plugin.folder}` },
    {
      part: 'manifest',
      outcome: 'ok',
      message: `The manifest is valid; it needs @gantry/plugin-api ${pluginApiRange}, and this host has ${trial.pluginApiVersion}`,
    },
    {
      part: 'dependencies',
      outcome: 'ok',
      message:
        needed.length === 0
          ? 'It depends on no other plugin'
          : `It depends on ${needed.join(', ')}, which ${needed.length === 1 ? 'is' : 'are'} enabled`,
    },
    {
      part: 'names',
      outcome: 'ok',
      message: `None of the ${names.length} names that it contributes belongs to another plugin`,
    },
    ...systemScopeLines(plugin.manifest),
  ];
  return [...fine.filter(({ part }) => isFine(part)), integrityLine(plugin), ...problems];
}

function systemScopeLines({ systemScope }: Manifest): readonly PluginCheckLine[] {
  if (systemScope === undefined) return [];
  const message = `Its routes may use all items, not only those of their callers (gantry.systemScope): ${systemScope}`;
  return [{ part: 'manifest', outcome: 'ok', message }];
}

function integrityLine({ id, contentHash = '', pinned }: TrialPlugin): PluginCheckLine {
  if (pinned === undefined || pinned.contentHash === contentHash) {
    const state =
      pinned === undefined ? 'enabling pins the plugin to these files' : 'these are the files that were enabled';
    return { part: 'integrity', outcome: 'ok', message: `${contentHash}; ${state}` };
  }
  return {
    part: 'integrity',
    outcome: 'warning',
    message: `The files are not those that were enabled (version ${pinned.version}, ${pinned.contentHash})`,
    remedy: `Review the change; enabling pins the new files: gantry plugins enable ${id}`,
  };
}

function runLines(plugin: TrialPlugin, outcome: CheckProcessOutcome | undefined): readonly PluginCheckLine[] {
  if (outcome === undefined || plugin.problems.length > 0) return [];
  if (outcome.kind === 'broken-off') {
    const { code, message, remedy } = outcome;
    const isOwn = outcome.plugin === undefined || outcome.plugin === plugin.id;
    return isOwn ? [{ part: 'code', outcome: 'problem', code, message, remedy }] : [notReached(outcome.plugin)];
  }
  const findings: CheckFindings | undefined = outcome.findings.find(({ id }) => id === plugin.id);
  if (findings === undefined) return [];
  const code = codeLines(findings);
  if (code.some((line) => line.outcome === 'problem')) return code;
  return [...code, ...schemaLines(findings), ...workflowLines(findings)];
}

function notReached(other: string | undefined): PluginCheckLine {
  return {
    part: 'code',
    outcome: 'problem',
    code: 'CHECK_BROKEN_OFF' satisfies CheckProblemCode,
    message: `${other === undefined ? 'Another plugin' : `The plugin ${other}`} ended the check`,
    remedy: 'Check this plugin alone',
  };
}

/** What loading and registering the code came to. */
function codeLines({ problems, notes, registered }: CheckFindings): readonly PluginCheckLine[] {
  if (problems.length > 0) return linesOfProblems(problems);
  const brings = registered.length === 0 ? 'nothing' : registered.join(', ');
  return [
    {
      part: 'code',
      outcome: 'ok',
      message: `It was loaded in a separate process and registered what its manifest names: ${brings}`,
    },
    ...notes.map((message): PluginCheckLine => ({ part: 'code', outcome: 'warning', message })),
  ];
}

/** Whether the open workflows of a service can continue with the bundle that was checked. */
function workflowLines({ id, workflows }: CheckFindings): readonly PluginCheckLine[] {
  if (workflows === undefined) return [];
  const { taskQueue } = workflows;
  if (workflows.kind === 'unknown') {
    return [{ part: 'workflows', outcome: 'warning', message: workflows.reason, remedy: workflows.remedy }];
  }
  const { count, isPartial, failures } = workflows;
  const failed = failures.map(({ workflowId, reason }): PluginCheckLine => ({
    part: 'workflows',
    outcome: 'problem',
    code: 'WORKFLOW_INCOMPATIBLE' satisfies CheckProblemCode,
    message: `The open workflow ${workflowId} cannot continue with this code: ${reason}`,
    remedy: `Let it finish with the code that started it, or keep the old path in ${id} with patched()`,
  }));
  if (isPartial) {
    return [
      ...failed,
      {
        part: 'workflows',
        outcome: 'warning',
        message: `Only the ${count} latest open workflows of the queue ${taskQueue} were replayed; there are more`,
        remedy: 'Check again when fewer workflows are open, or replay stored histories in a test of the plugin',
      },
    ];
  }
  if (failed.length > 0) return failed;
  const found =
    count === 0 ? 'no workflow is open' : `${count} open workflow${count === 1 ? '' : 's'} can continue with this code`;
  return [
    {
      part: 'workflows',
      outcome: 'ok',
      message: `The workflow bundle of the queue ${taskQueue} was loaded; ${found}`,
    },
  ];
}
