import type { PluginProblem } from '@gantry/contracts';
import type { ItemTypeClass, PluginDefinition } from '@gantry/plugin-api';
import { createProblem } from '../../problem-kinds';
import type { PatternJudge, PatternVerdict } from './pattern-judge';

/** A regular expression that a field declares for its values. */
export interface DeclaredPattern {
  readonly field: string;
  readonly pattern: string;
  /** Characters that a value has at most; longer ones are refused before the pattern is asked. */
  readonly maxLength: number;
}

/** The patterns that the fields of an item type declare. */
export type ReadPatterns = (model: ItemTypeClass) => readonly DeclaredPattern[];

/** Findings about the patterns of a plugin. */
export interface PatternFindings {
  /** Patterns with which one value could hold up the platform. */
  readonly problems: readonly PluginProblem[];
  /** Sentences about patterns that are slow, and bounded by the length of their values. */
  readonly warnings: readonly string[];
}

/** Values that are longer than this can be slow to match, unless the pattern is known to be safe. */
const maxSlowLength = 1_000;
/** Steps of matching that take some ten milliseconds. */
const maxSteps = 5_000_000;
const maxPatternLength = 1_000;

/** Judges the patterns of a plugin's item types, each of which the platform matches with values that clients send. */
export async function checkPatterns(
  definition: PluginDefinition,
  readPatterns: ReadPatterns,
  judge: PatternJudge,
): Promise<PatternFindings> {
  const findings: Finding[] = [];
  for (const model of definition.itemTypes ?? []) {
    for (const declared of readPatterns(model)) {
      findings.push(await assess(`${model.name}.${declared.field}`, declared, judge));
    }
  }
  return {
    problems: findings.filter((finding) => typeof finding === 'object'),
    warnings: findings.filter((finding) => typeof finding === 'string'),
  };
}

/** A problem, a warning, or nothing for a pattern that is safe. */
type Finding = PluginProblem | string | undefined;

async function assess(name: string, declared: DeclaredPattern, judge: PatternJudge): Promise<Finding> {
  const source = `^(?:${declared.pattern})$`;
  // A pattern that is not a regular expression is reported with the other declarations of the type.
  if (!isRegularExpression(source)) return undefined;
  if (source.length > maxPatternLength) return tooLong(name);
  return describe(name, declared, await judge.judge(source));
}

function describe(name: string, { pattern, maxLength }: DeclaredPattern, verdict: PatternVerdict): Finding {
  if (verdict === 'safe') return undefined;
  const start = `The pattern ${pattern} of ${name}`;
  if (verdict === 'exponential') {
    return unsafe(
      `${start} can take a time that doubles with each character of a value`,
      'Write the pattern without nested repetitions such as (a+)+',
    );
  }
  const how =
    verdict === 'undecided'
      ? 'could not be proved safe within 2 s'
      : `can take a time that grows with the power ${verdict} of the length of a value`;
  const length = Number.isFinite(maxLength) ? `up to ${maxLength} characters` : 'any length';
  const isBounded = maxLength <= maxSlowLength && (verdict === 'undecided' || maxLength ** verdict <= maxSteps);
  if (!isBounded) {
    return unsafe(
      `${start} ${how}, and values have ${length}`,
      'Write the pattern so that it matches a text in one way only, or give the field a smaller maxLength',
    );
  }
  return `${start} ${how}; values have ${length}, which limits it`;
}

function tooLong(name: string) {
  return unsafe(
    `The pattern of ${name} has more than ${maxPatternLength} characters, which is too long to be checked`,
    'Shorten the pattern, or check the value in a validation of the model',
  );
}

function unsafe(reason: string, remedy: string): PluginProblem {
  return createProblem('PATTERN_UNSAFE', reason, remedy);
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
