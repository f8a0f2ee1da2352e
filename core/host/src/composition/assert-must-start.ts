import { PluginError, type PluginRegistry } from '../plugins';

/**
 * A host that takes the place of another one must not serve less than that one did.
 * @throws PluginError GENERATION_REFUSED that names every plugin which would not run, and why
 */
export function assertMustStart(registry: PluginRegistry, ids: readonly string[]): void {
  const reports = new Map(registry.reports().map((report) => [report.id, report]));
  const missing = ids.filter((id) => reports.get(id)?.state !== 'started');
  if (missing.length === 0) return;
  const problems = missing.map((id) => ({ id, problem: reports.get(id)?.problems[0] }));
  const reasons = problems.map(({ id, problem }) => `${id} (${problem?.reason ?? 'it is no longer there'})`);
  const remedies = new Set(problems.map(({ problem }) => problem?.remedy ?? 'Put the package back'));
  throw new PluginError(
    'GENERATION_REFUSED',
    `With this change, ${missing.length === 1 ? 'a plugin' : 'plugins'} would not run: ${reasons.join(', ')}`,
    [...remedies].join('; '),
  );
}
