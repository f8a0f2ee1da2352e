import type { GenerationsReport, PluginChange } from '@gantry/contracts';
import type { ChangeMessage } from './generation';

/** The changes of the plugin set that were asked for, and how far they are. */
export interface ChangeLog {
  report(): GenerationsReport;
  add(message: ChangeMessage): void;
  /** Another phase of a change, or what it is at. */
  update(id: string, change: Pick<PluginChange, 'phase' | 'step' | 'error'>): void;
  /** Another generation serves. */
  nextGeneration(): void;
}

/** As many as a person looks back at. */
const keptChanges = 20;

/** @param onChange called with the report after every change of it */
export function createChangeLog(onChange: (report: GenerationsReport) => void): ChangeLog {
  let report: GenerationsReport = { changesTakeEffect: 'at-once', generation: 1, changes: [] };
  const set = (changed: Partial<GenerationsReport>): void => {
    report = { ...report, ...changed };
    onChange(report);
  };
  return {
    report: () => report,
    add: ({ id, action, decisions, follow }) => {
      const now = new Date().toISOString();
      const change: PluginChange = {
        id,
        action,
        plugins: [...Object.keys(decisions), ...(follow?.removed ?? [])],
        phase: 'waiting',
        requestedAt: now,
        since: now,
        ...(follow === undefined ? {} : { follows: follow.generation }),
      };
      set({ changes: [change, ...report.changes].slice(0, keptChanges) });
    },
    update: (id, changed) => {
      set({ changes: report.changes.map((change) => (change.id === id ? updated(change, changed) : change)) });
    },
    nextGeneration: () => set({ generation: report.generation + 1 }),
  };
}

function updated(change: PluginChange, changed: Pick<PluginChange, 'phase' | 'step' | 'error'>): PluginChange {
  // A change that was undone is not done when the old host has ended.
  if (change.phase === 'failed') return change;
  const { step: _step, ...rest } = change;
  if (changed.phase === change.phase) return { ...rest, ...changed };
  const now = new Date();
  const durations = { ...change.durations, [change.phase]: now.getTime() - Date.parse(change.since) };
  return { ...rest, ...changed, since: now.toISOString(), durations };
}
