import type { PluginProblem } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { Manifest } from '../manifest/manifest';
import { blockedBy } from './order';
import { isActive, quarantine, timed, type PluginRecord } from '../record/plugin-record';
import { boundProblems } from '../problem-kinds';
import { problemOfRun } from '../execution/run-failure';

const failureCodes = { load: 'LOAD_FAILED', register: 'REGISTER_FAILED', start: 'START_FAILED' } as const;

/** The plugins of one start, and how a failure of one spreads. */
export interface PluginSet {
  /** Every discovered package, by id. */
  readonly records: readonly PluginRecord[];
  /** Plugins that are loading or serving, each after its dependencies. */
  active(): readonly PluginRecord[];
  /** Quarantines a plugin that is on its way or serving, and blocks those that depend on it. */
  fail(record: PluginRecord, problems: readonly PluginProblem[]): void;
  /** Runs a phase for one plugin after the other; those that fail on the way, and those that this blocks, are left out. */
  eachActive(
    phase: keyof typeof failureCodes,
    work: (record: PluginRecord, manifest: Manifest) => Promise<void>,
  ): Promise<void>;
}

export function createPluginSet(
  records: readonly PluginRecord[],
  order: readonly PluginRecord[],
  logger: Logger,
): PluginSet {
  const active = (): readonly PluginRecord[] => order.filter(isActive);
  const dependentsOf = (id: string): readonly PluginRecord[] =>
    active().filter(({ manifest }) => Object.hasOwn(manifest?.dependsOn ?? {}, id));

  const fail = (record: PluginRecord, problems: readonly PluginProblem[]): void => {
    if (problems.length === 0 || !isActive(record)) return;
    const reported = quarantine(record, problems);
    record.abort.abort();
    logProblems(logger, record, reported);
    const [first] = reported;
    if (first === undefined) return;
    for (const dependent of dependentsOf(record.id)) fail(dependent, [blockedBy(record.id, first.reason, first.phase)]);
  };

  return {
    records,
    active,
    fail,
    async eachActive(phase, work) {
      for (const record of order) {
        const { manifest } = record;
        if (!manifest || !isActive(record)) continue;
        try {
          await timed(record, phase, () => work(record, manifest));
        } catch (error) {
          // A definition can be odd in ways that no check foresees; it must not take the others down.
          fail(record, [
            problemOfRun(error, {
              manifest,
              folder: record.found.folder,
              phase,
              code: failureCodes[phase],
              what: `The phase ${phase}`,
            }),
          ]);
        }
      }
    },
  };
}

/** One line for each problem; the report has the same. */
export function logProblems(logger: Logger, { id, state }: PluginRecord, problems: readonly PluginProblem[]): void {
  for (const { phase, code, reason, remedy } of boundProblems(problems)) {
    logger.error({ plugin: id, state, phase, code, remedy }, `The plugin ${id} is not in use: ${reason}`);
  }
}
