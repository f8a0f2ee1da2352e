import type { Successor } from '@gantry/contracts';
import { PluginError, type PluginRegistry } from '@gantry/core-loader';

/**
 * A host that takes the place of another one must not serve less than that one did.
 * @throws PluginError GENERATION_REFUSED that names every plugin which would not run, and why
 */
export function assertMustStart(registry: PluginRegistry, { mustStart = [], follow }: Partial<Successor> = {}): void {
  const reports = new Map(registry.reports().map((report) => [report.id, report]));
  // Another host has enabled it, and it is not selected for this process.
  const isElsewhere = (id: string): boolean =>
    follow !== undefined && reports.get(id)?.problems[0]?.code === 'PLUGIN_NOT_SELECTED';
  const missing = mustStart.filter((id) => reports.get(id)?.state !== 'started' && !isElsewhere(id));
  if (missing.length === 0) return;
  const problems = missing.map((id) => ({ id, problem: reports.get(id)?.problems[0] }));
  const reasons = problems.map(({ id, problem }) => `${id} (${problem?.reason ?? 'its package no longer exists'})`);
  const remedies = new Set(problems.map(({ problem }) => problem?.remedy ?? 'Restore the package'));
  throw new PluginError(
    'GENERATION_REFUSED',
    `With this change, ${missing.length === 1 ? 'a plugin' : 'plugins'} would not run: ${reasons.join(', ')}`,
    [...remedies].join('; '),
  );
}
