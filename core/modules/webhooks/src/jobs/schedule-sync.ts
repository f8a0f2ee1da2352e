import { createHash } from 'node:crypto';
import { jobQueueOf, runJobWorkflow, type JobInput, type PluginReport } from '@gantry/contracts';
import { backoff, pause } from '@gantry/core-common';
import type { HealthPart } from '@gantry/core-http';
import type { Logger, Schedule, Temporal } from '@gantry/plugin-api';
import type { Client, ScheduleOptions, ScheduleSummary } from '@temporalio/client';

type KnownPlugin = Pick<PluginReport, 'id' | 'state' | 'problems' | 'contributes'>;

export interface ScheduleSyncOptions {
  readonly temporal: Temporal;
  readonly logger: Logger;
  readonly installationId: string;
  /** All plugins that were found. */
  readonly plugins: () => readonly KnownPlugin[];
  /** Of a plugin that runs; none for others. */
  readonly schedulesOf: (plugin: string) => readonly Schedule[];
  /** Whether this host decides on plugins that it does not run. */
  readonly ownsAll: boolean;
}

/** Makes the schedules of Temporal those that the running plugins declare. */
export interface ScheduleSync {
  start(): void;
  health(): readonly HealthPart[];
  stop(): Promise<void>;
}

/** Several hosts do the same, and a host that replaces another one may fail: the one that goes on puts its schedules back. */
const intervalMs = 60_000;
const retryMs = { first: 500, max: 30_000 } as const;
const callTimeoutMs = 10_000;

export function createScheduleSync(options: ScheduleSyncOptions): ScheduleSync {
  const { plugins, logger } = options;
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let problem: string | undefined;
  const hasSchedules = (): boolean => plugins().some(({ contributes }) => contributes.schedules !== undefined);
  // Schedules of a plugin that is gone are looked for once, where Temporal is in use.
  const usesTemporal = (): boolean => plugins().some(({ contributes }) => contributes.taskQueues.length > 0);
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      try {
        await syncOnce(options);
        problem = undefined;
        if (!hasSchedules()) return;
        failures = 0;
        await pause(intervalMs, stopped.signal);
      } catch (error) {
        if (problem === undefined) logger.warn({ err: error }, 'the schedules of plugins cannot be read or written');
        problem = 'Schedules of plugins cannot be read or written: Temporal does not answer.';
        await pause(backoff(failures, retryMs.first, retryMs.max), stopped.signal);
        failures += 1;
      }
    }
  };
  return {
    start() {
      if (hasSchedules() || usesTemporal()) running = run();
    },
    health: () =>
      problem === undefined || !hasSchedules() ? [] : [{ name: 'schedules', status: 'degraded', message: problem }],
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function syncOnce(options: ScheduleSyncOptions): Promise<void> {
  const { temporal, installationId, plugins, schedulesOf, ownsAll, logger } = options;
  const client = await temporal.client<Client>();
  const prefix = `gantry-job-${installationId}-`;
  const stored = new Map<string, ScheduleSummary>();
  await client.withDeadline(Date.now() + callTimeoutMs, async () => {
    for await (const summary of client.schedule.list()) {
      if (summary.scheduleId.startsWith(prefix)) stored.set(summary.scheduleId, summary);
    }
  });
  const call = (work: () => Promise<unknown>): Promise<unknown> =>
    client.withDeadline(Date.now() + callTimeoutMs, work);
  const known = new Map(plugins().map((plugin) => [plugin.id, plugin]));
  const wanted = new Map<string, { readonly plugin: string; readonly schedule: Schedule }>(
    [...known.keys()].flatMap((plugin) =>
      schedulesOf(plugin).map((schedule) => [`${prefix}${plugin}/${schedule.name}`, { plugin, schedule }] as const),
    ),
  );
  for (const [id, { plugin, schedule }] of wanted) {
    const found = stored.get(id);
    await call(() => putSchedule(client, optionsOf(id, plugin, schedule), found));
  }
  for (const [id, { state }] of stored) {
    if (wanted.has(id)) continue;
    const plugin = known.get(id.slice(prefix.length, id.lastIndexOf('/')));
    const fate = fateOf(plugin, ownsAll);
    const handle = client.schedule.getHandle(id);
    if (fate === 'delete') await call(() => handle.delete());
    if (fate === 'pause' && !state.paused) await call(() => handle.pause(pausedNote));
    if (fate !== 'leave') logger.debug({ schedule: id }, `a schedule without a running plugin: ${fate}`);
  }
}

const pausedNote = 'The plugin is not in use.';

/** The step for a schedule that no running plugin declares. */
function fateOf(plugin: KnownPlugin | undefined, ownsAll: boolean): 'delete' | 'pause' | 'leave' {
  if (!ownsAll || plugin?.problems[0]?.code === 'PLUGIN_NOT_SELECTED') return 'leave';
  if (plugin === undefined) return 'delete';
  return plugin.state === 'started' ? 'delete' : 'pause';
}

type Put = ScheduleOptions & { readonly memo: { readonly declaration: string } };

async function putSchedule(client: Client, next: Put, found: ScheduleSummary | undefined): Promise<void> {
  const handle = client.schedule.getHandle(next.scheduleId);
  if (found !== undefined && found.memo?.['declaration'] !== next.memo.declaration) {
    // The memo of a schedule cannot be changed.
    await handle.delete();
  } else if (found !== undefined) {
    if (found.state.paused && found.state.note === pausedNote) await handle.unpause('The plugin is in use again.');
    return;
  }
  try {
    await client.schedule.create(next);
  } catch (error) {
    // Another host was faster.
    if (!(error instanceof Error) || error.name !== 'ScheduleAlreadyRunning') throw error;
  }
}

/** Times that Temporal missed are made up for if they are not older. */
const catchupWindow = 3_600_000;
const defaultTimeoutMs = 600_000;
const defaultAttempts = 3;
const overlaps = { skip: 'SKIP', wait: 'BUFFER_ONE', allow: 'ALLOW_ALL' } as const;

function optionsOf(scheduleId: string, plugin: string, schedule: Schedule): Put {
  const { name, cron, intervalMs: every, timeZone = 'UTC', overlap = 'skip' } = schedule;
  const { timeoutMs = defaultTimeoutMs, maxAttempts = defaultAttempts } = schedule;
  const input: JobInput = { name, timeoutMs, maxAttempts };
  const spec =
    cron === undefined ? { intervals: [{ every: every ?? 0 }] } : { cronExpressions: [cron], timezone: timeZone };
  const declaration = createHash('sha256').update(JSON.stringify({ spec, overlap, input })).digest('hex').slice(0, 16);
  return {
    scheduleId,
    spec,
    memo: { declaration },
    policies: { overlap: overlaps[overlap], catchupWindow },
    action: {
      type: 'startWorkflow',
      workflowType: runJobWorkflow,
      workflowId: scheduleId,
      taskQueue: jobQueueOf(plugin),
      args: [input],
    },
  };
}
