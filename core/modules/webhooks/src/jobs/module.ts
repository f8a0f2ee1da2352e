import { jobQueueOf } from '@gantry/contracts';
import {
  Counter,
  type Kernel,
  type Module,
  type ModuleService,
  type Registry,
  type RegisteredPlugin,
} from '@gantry/core-http';
import type { Schedule } from '@gantry/plugin-api';
import { workflowsPath } from '../workflows-path';
import { createScheduleSync } from './schedule-sync';

/** Jobs of plugins that run by schedule, in Temporal. */
export const jobs: Module<JobSettings> = {
  id: 'gantry.jobs',
  routes: [],
  open(kernel) {
    const { accounts, logger, registry, settings, temporal } = kernel;
    const runs = { counter: undefined as RunCounter | undefined };
    const count = (plugin: string, job: string, result: string): void => runs.counter?.inc({ plugin, job, result });
    const running = pluginsWithSchedules(kernel);
    const sync = createScheduleSync({
      ...{ temporal, logger, installationId: accounts.installationId },
      plugins: () => registry.reports(),
      schedulesOf: (id) => registry.findRunning(id)?.definition.schedules ?? [],
      ownsAll: settings.only === undefined,
    });
    return {
      routes: () => [],
      service: running.map((plugin) => serviceOf(plugin, kernel, count)),
      addMetrics: (metrics) => void (runs.counter = runCounter(metrics)),
      health: () => sync.health(),
      start: async () => sync.start(),
      stop: () => sync.stop(),
    };
  },
};

export interface JobSettings {
  /** The plugins that this host runs; all of them unless given. */
  readonly only?: readonly string[] | undefined;
}

type RunCounter = Counter<'plugin' | 'job' | 'result'>;
type CountRun = (plugin: string, job: string, result: 'done' | 'failed') => void;

function runCounter(registry: Registry): RunCounter {
  return new Counter({
    name: 'gantry_plugin_job_attempts_total',
    help: 'Attempts to run jobs of plugins, by result.',
    labelNames: ['plugin', 'job', 'result'],
    registers: [registry],
  });
}

function pluginsWithSchedules({ registry }: Kernel): readonly RegisteredPlugin[] {
  return registry.registeredPlugins().filter(({ manifest, definition }) => {
    const { schedules = [] } = definition;
    return schedules.length > 0 && registry.served(manifest.id) === 'served';
  });
}

/** Often enough for the heartbeat timeout of the workflow. */
const heartbeatIntervalMs = 4_000;
/** Of the jobs of one plugin in one host. */
const maxRunningJobs = 10;

function serviceOf(plugin: RegisteredPlugin, { requests, registry }: Kernel, count: CountRun): ModuleService {
  const { manifest, definition } = plugin;
  const schedules = new Map((definition.schedules ?? []).map((schedule) => [schedule.name, schedule]));
  return {
    // Its activities are run as code of the plugin.
    id: manifest.id,
    taskQueue: jobQueueOf(manifest.id),
    workflowsPath,
    activities: () => ({
      async runJob(name: string, scheduledAt: number): Promise<void> {
        const schedule = schedules.get(name);
        if (schedule === undefined) throw new Error(`The plugin ${manifest.id} has no schedule ${name} any more.`);
        try {
          await requests.leave(() => registry.enter(manifest.id, () => runOnce(plugin, schedule, scheduledAt)));
          count(manifest.id, name, 'done');
        } catch (error) {
          count(manifest.id, name, 'failed');
          plugin.context.logger.error({ job: name, err: error }, 'a job failed');
          throw error;
        }
      },
    }),
    limits: { maxConcurrentActivityTaskExecutions: maxRunningJobs },
    // A start does not wait for Temporal: the platform serves without jobs.
    needed: Promise.resolve(),
  };
}

/** The package is large, and loaded by the worker already. */
async function runOnce({ context }: RegisteredPlugin, schedule: Schedule, scheduledAt: number): Promise<void> {
  const { Context } = await import('@temporalio/activity');
  const { heartbeat, cancellationSignal: signal, info } = Context.current();
  const beating = setInterval(() => heartbeat(), heartbeatIntervalMs);
  try {
    await schedule.run({ ...context, signal, scheduledAt: new Date(scheduledAt), attempt: info.attempt });
  } finally {
    clearInterval(beating);
  }
}
