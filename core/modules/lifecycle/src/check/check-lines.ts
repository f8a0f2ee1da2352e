import type { PluginCheckLine, PluginCheckPart, PluginPhase, PluginProblem } from '@gantry/contracts';
import type { CheckRule } from './check-rules';

type More = Pick<PluginCheckLine, 'remedy' | 'details'>;

export function okLine(rule: CheckRule, message: string, more: More = {}): PluginCheckLine {
  return { part: partOf(rule), rule, outcome: 'ok', message, ...more };
}

export function warningLine(rule: CheckRule, message: string, more: More): PluginCheckLine {
  return { part: partOf(rule), rule, outcome: 'warning', message, ...more };
}

/** @param found warnings of the plugin API, as `GANTRY_DEP001: …` */
export function deprecationLines(found: readonly string[]): readonly PluginCheckLine[] {
  if (found.length === 0) return [];
  const message = 'It uses parts of the plugin API that the next major version removes';
  const remedy = 'Use the replacements before you raise the range of @gantry/plugin-api; docs/errors.md lists them all';
  return [warningLine('code/deprecated', message, { remedy, details: found })];
}

/** A problem that keeps a plugin from being enabled. */
export function problemLine(
  part: PluginCheckPart,
  { code, message, remedy }: { readonly code: string; readonly message: string; readonly remedy: string },
): PluginCheckLine {
  return { part, rule: ruleOf(part, code), outcome: 'problem', code, message, remedy };
}

/** The rule of a line that has a code. */
export function ruleOf(part: PluginCheckPart, code: string): string {
  return `${part}/${code.toLowerCase().replaceAll('_', '-')}`;
}

function partOf(rule: CheckRule): PluginCheckPart {
  return rule.slice(0, rule.indexOf('/')) as PluginCheckPart;
}

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
  return problems.map(({ phase, code, reason, remedy }) =>
    problemLine(isAboutNames(code) ? 'names' : partOfPhase[phase], { code, message: reason, remedy }),
  );
}

function isAboutNames(code: string): boolean {
  return (code.endsWith('_TAKEN') && code !== 'PLUGIN_ID_TAKEN') || code === 'DISPLACES_PLUGIN';
}
