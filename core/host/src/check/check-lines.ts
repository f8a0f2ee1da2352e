import type { PluginCheckLine, PluginCheckPart, PluginPhase, PluginProblem } from '@gantry/contracts';

const partOfPhase: Readonly<Record<PluginPhase, PluginCheckPart>> = {
  discover: 'package',
  validate: 'manifest',
  order: 'dependencies',
  load: 'code',
  register: 'code',
  link: 'code',
  start: 'code',
};

/** The problems of a plugin as lines of its check. */
export function linesOfProblems(problems: readonly PluginProblem[]): readonly PluginCheckLine[] {
  return problems.map(({ phase, code, reason, remedy }) => ({
    part: isAboutNames(code) ? 'names' : partOfPhase[phase],
    outcome: 'problem',
    code,
    message: reason,
    remedy,
  }));
}

function isAboutNames(code: string): boolean {
  return (code.endsWith('_TAKEN') && code !== 'PLUGIN_ID_TAKEN') || code === 'DISPLACES_PLUGIN';
}
