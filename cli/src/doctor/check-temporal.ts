import type { PluginReport } from '@gantry/contracts';
import type { HostConfig } from '@gantry/host/config';
import { readHold } from '@gantry/core-common';
import { inspectPlugins } from '@gantry/host/inspect-plugins';
import { inspectTemporal, type ForgottenQueue } from '@gantry/host/inspect-temporal';
import { findTemporalProgramOfHome } from '@gantry/launcher';
import { findRunningPlatform, type RunningPlatform } from '@gantry/launcher/run-file';
import type { CommandContext } from '../context/command-context';
import { fail, failedWith, ok, warn, type Check } from './check';

const name = 'Temporal';

/**
 * Where a plugin in use has a task queue: the program is there that a start would run, or the server that the settings name
 * answers and has the namespace. While a platform runs, its own server is asked, and every queue must have a worker.
 */
export async function checkTemporal(
  { environment }: Pick<CommandContext, 'environment'>,
  config: HostConfig,
): Promise<readonly Check[]> {
  try {
    const plugins = await pluginsWithQueues(config);
    if (plugins.length === 0) return [ok(name, 'not needed: no plugin in use has a task queue')];
    const running = findRunningPlatform(config.home);
    if (running !== undefined) {
      return await checkServer({ ...environment, ...running.environment }, plugins, config.home, running);
    }
    if (environment['TEMPORAL_ADDRESS']) return await checkServer(environment, plugins, config.home, undefined);
    return [await checkProgram(environment, config)];
  } catch (error) {
    return [failedWith(name, error, 'Correct the TEMPORAL variables of the environment.')];
  }
}

type Plugin = Pick<PluginReport, 'id' | 'contributes'>;

async function pluginsWithQueues({ home, project, pluginPath }: HostConfig): Promise<readonly Plugin[]> {
  const { plugins } = await inspectPlugins({ home, project, pluginPath });
  return plugins.filter(({ state, contributes }) => state === 'stopped' && contributes.taskQueues.length > 0);
}

async function checkProgram(environment: CommandContext['environment'], { home }: HostConfig): Promise<Check> {
  const { program, problems } = await findTemporalProgramOfHome(home, environment);
  if (program !== undefined) return ok(name, `${program.version} (server ${program.serverVersion}), ${program.file}`);
  const message =
    problems.length === 0 ? 'No temporal program was found on PATH or in the cache.' : `${problems.join('; ')}.`;
  if (environment['GANTRY_TEMPORAL_CLI']) {
    return fail(
      name,
      message,
      'Correct or unset GANTRY_TEMPORAL_CLI; without it, the next start downloads the program.',
    );
  }
  return warn(
    name,
    message,
    'The next start downloads it. Without a network, put the official Temporal CLI into a folder of PATH, or set TEMPORAL_ADDRESS.',
  );
}

/** @param running the platform that runs on the home; the server is its server then */
async function checkServer(
  environment: CommandContext['environment'],
  plugins: readonly Plugin[],
  home: string,
  running: RunningPlatform | undefined,
): Promise<readonly Check[]> {
  const queues = plugins.flatMap(({ contributes }) => contributes.taskQueues);
  const found = await inspectTemporal(environment, queues);
  switch (found.state) {
    case 'unnamed':
      return [
        warn(name, 'The running platform was started without Temporal.', 'Restart it: a plugin needs Temporal now.'),
      ];
    case 'unavailable':
      return [fail(name, found.reason, found.remedy)];
    case 'there': {
      const { address, namespace, serverVersion, unpolled, forgotten } = found;
      const server = ok(name, `server ${serverVersion} at ${address}, namespace ${namespace}`);
      // Before it is ready, and while it is on hold, no worker polls.
      const hasWorkers = running?.address !== undefined && readHold(home) === undefined;
      if (!hasWorkers) return [server];
      return [server, ...checkWorkers(plugins, queues, unpolled), ...forgotten.map(checkForgotten)];
    }
  }
}

function checkForgotten({ taskQueue, workflowId }: ForgottenQueue): Check {
  return warn(
    'Workflows',
    `No worker polls the queue ${taskQueue}, which has open workflows, such as ${workflowId}. They wait.`,
    `Start the service of that queue. If there is no such service, correct the queue in the code that starts the workflows, and end them: gantry ops terminate ${workflowId}`,
  );
}

function checkWorkers(
  plugins: readonly Plugin[],
  queues: readonly string[],
  unpolled: readonly string[],
): readonly Check[] {
  const isPolled = `${queues.join(', ')} ${queues.length === 1 ? 'is' : 'are'} polled`;
  if (unpolled.length === 0) return [ok('Workers', isPolled)];
  return unpolled.map((queue) => {
    const id = plugins.find(({ contributes }) => contributes.taskQueues.includes(queue))?.id ?? '';
    return fail(
      'Workers',
      `No worker polls the queue ${queue} of the plugin ${id}: its tasks wait.`,
      `Show the reason with: gantry plugins info ${id}. To run it in a separate process: gantry up --only ${id}`,
    );
  });
}
