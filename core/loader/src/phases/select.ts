import { PluginError } from '../plugin-error';
import { isStored, quarantine, type PluginRecord } from '../record/plugin-record';
import type { PluginDecisions } from '../state/local-copy';
import { createProblem } from '../problem-kinds';

/**
 * Takes out the packages that share an id, the plugins that were disabled, and those that `only` leaves out.
 * @throws PluginError PLUGIN_UNKNOWN
 */
export function select(
  records: readonly PluginRecord[],
  decisions: PluginDecisions,
  only: readonly string[] | undefined,
): void {
  refuseSharedIds(records);
  disable(records, decisions);
  leaveOut(records, only);
}

function refuseSharedIds(records: readonly PluginRecord[]): void {
  const folders = new Map<string, readonly string[]>();
  for (const { id, found } of records) folders.set(id, [...(folders.get(id) ?? []), found.source]);
  for (const record of records) {
    const shared = folders.get(record.id) ?? [];
    // A package that was enabled by command is the one that was meant.
    if (shared.length < 2 || isStored(record)) continue;
    const reason = `${shared.length} packages have the plugin id "${record.id}": ${shared.join(' and ')}`;
    quarantine(record, [createProblem('PLUGIN_ID_TAKEN', reason, 'Remove all but one of the folders')]);
  }
}

function disable(records: readonly PluginRecord[], decisions: PluginDecisions): void {
  for (const record of records) {
    if (decisions.get(record.id)?.enabled !== false) continue;
    quarantine(record, [
      createProblem('PLUGIN_DISABLED', 'It was disabled by command', `gantry plugins enable ${record.id}`),
    ]);
  }
}

/**
 * Leaves out all plugins but those named, what they depend on, and what the platform requires: other processes run the
 * rest. Without a name only what is required remains (`gantry up --safe`).
 */
function leaveOut(records: readonly PluginRecord[], only: readonly string[] | undefined): void {
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
    `--only (GANTRY_ONLY) names ${unknown.map((id) => `"${id}"`).join(', ')}, but there is no such plugin`,
    `Choose among ${known.join(', ')}`,
  );
}
