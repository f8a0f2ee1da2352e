import { PluginError } from '../plugin-error';
import { quarantine, type PluginRecord } from '../record/plugin-record';
import { createProblem } from '../problem-kinds';

/**
 * Leaves out all plugins but those named, what they depend on, and what the platform requires: other processes run the
 * rest (decisions, "One address or five"). Without a name only what is required remains (`gantry up --safe`).
 * @throws PluginError PLUGIN_UNKNOWN
 */
export function select(records: readonly PluginRecord[], only: readonly string[] | undefined): void {
  if (only === undefined) return;
  const known = new Set(records.map(({ id }) => id));
  const unknown = only.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownPlugins(unknown, [...known]);
  const selected = withDependencies(records, [...only, ...requiredIds(records)]);
  for (const record of records) {
    if (!selected.has(record.id)) quarantine(record, [notSelected(record.id, only)]);
  }
}

function withDependencies(records: readonly PluginRecord[], ids: readonly string[]): ReadonlySet<string> {
  const byId = new Map(records.map((record) => [record.id, record]));
  const selected = new Set(ids);
  // Grows while it is walked.
  for (const id of selected) {
    for (const dependency of Object.keys(byId.get(id)?.manifest?.dependsOn ?? {})) selected.add(dependency);
  }
  return selected;
}

function requiredIds(records: readonly PluginRecord[]): readonly string[] {
  return records.flatMap(({ id, manifest }) => (manifest?.required ? [id] : []));
}

function notSelected(id: string, only: readonly string[]) {
  if (only.length === 0) {
    return createProblem(
      'PLUGIN_NOT_SELECTED',
      'The platform runs with required plugins only (--safe)',
      'Start it again without --safe',
    );
  }
  return createProblem(
    'PLUGIN_NOT_SELECTED',
    `It is not selected here (--only ${only.join(',')})`,
    `Run it in another process: gantry up --only ${id}`,
  );
}

function unknownPlugins(unknown: readonly string[], known: readonly string[]): PluginError {
  return new PluginError(
    'PLUGIN_UNKNOWN',
    `--only (GANTRY_ONLY) names ${unknown.map((id) => `"${id}"`).join(', ')}, and there is no such plugin`,
    `Choose among ${known.join(', ')}`,
  );
}
