import type { HostMessage, PluginProblem } from '@gantry/contracts';
import { parseStart } from '@gantry/core-supervisor/child';
import { checkStartSchema } from './check-messages';
import type { CheckAnswer, CheckBegun, CheckFindings, CheckStart } from './check-messages';
import { parseConfig } from '../config';
import { describeFailure } from '../composition/describe-failure';
import { createStderrLogger } from '../common/logger';
import { compilePluginsForCommand, type CompiledPlugins } from '../composition/open-for-command';
import { replayOpenWorkflows } from './replay-open-workflows';
import { findSchema } from './find-schema';

/** The default when no database is named: nothing connects to it. */
const noDatabase = 'postgres://nowhere';

/** The process in which the code of plugins is tried out. It is ended by the one that started it. */
process.once('message', (start) => void answer(start));
process.once('disconnect', () => process.exit(0));

async function answer(start: unknown): Promise<void> {
  notifyLauncher({ kind: 'check-begun' });
  try {
    notifyLauncher({ kind: 'checked', findings: await check(parseStart(checkStartSchema, start)) });
  } catch (error) {
    const { code, message, remedy } = describeFailure(error, process.env);
    notifyLauncher({ kind: 'check-failed', code, message, remedy });
  }
}

async function check({ environment, ids, decisions, quarantines }: CheckStart): Promise<readonly CheckFindings[]> {
  Object.assign(process.env, environment);
  const databaseUrl = process.env['DATABASE_URL'];
  const config = {
    ...parseConfig({ ...process.env, DATABASE_URL: databaseUrl || noDatabase }),
    trial: new Map(Object.entries(decisions)),
  };
  const plugins = await compilePluginsForCommand({
    config,
    quarantines,
    environment: process.env,
    notifyLauncher,
    logger: createStderrLogger('silent'),
  });
  const schemas = await findSchema(plugins.schemas, databaseUrl, ids);
  const findings: CheckFindings[] = [];
  for (const id of ids) {
    const problems = problemsOf(plugins, id);
    const schema = schemas.get(id);
    const workflows = problems.length > 0 ? undefined : await workflowsOf(plugins, id);
    findings.push({
      id,
      problems,
      notes: registeredNotes(plugins, id),
      registered: registeredBy(plugins, id),
      ...(schema === undefined ? {} : { schema }),
      ...(workflows === undefined ? {} : { workflows }),
    });
  }
  return findings;
}

function problemsOf({ registry }: CompiledPlugins, id: string): readonly PluginProblem[] {
  return registry.reports().find((report) => report.id === id)?.problems ?? [];
}

/** Notes on the code: those on the folder do not concern a check, which stored what is in it now. */
function registeredNotes({ registry }: CompiledPlugins, id: string): readonly string[] {
  return registry.reports().find((report) => report.id === id)?.notes ?? [];
}

function registeredBy({ registry }: CompiledPlugins, id: string): readonly string[] {
  const plugin = registry.registered().find(({ manifest }) => manifest.id === id);
  const { itemTypes = [], fieldKinds = [], taskQueues = [], routes = [] } = plugin?.manifest.contributes ?? {};
  return [
    ...itemTypes.map((type) => `item type ${type}`),
    ...fieldKinds.map((kind) => `field kind ${kind}`),
    ...taskQueues.map((queue) => `queue ${queue}`),
    ...routes.map((route) => `route ${route}`),
  ];
}

async function workflowsOf({ registry }: CompiledPlugins, id: string): Promise<CheckFindings['workflows']> {
  const plugin = registry.registered().find(({ manifest }) => manifest.id === id);
  const { taskQueue, workflowsPath } = plugin?.definition.service ?? {};
  if (taskQueue === undefined || workflowsPath === undefined) return undefined;
  return replayOpenWorkflows({ taskQueue, workflowsPath, environment: process.env });
}

function notifyLauncher(message: HostMessage | CheckBegun | CheckAnswer): void {
  if (process.connected) process.send?.(message);
}
