import type { Options } from 'yargs';
import { UsageError } from '../common/usage-error';

/** An option with one value. */
export function word(describe: string) {
  return { type: 'string', describe, requiresArg: true, coerce: once } as const satisfies Options;
}

/** A value of a route as its contract describes it. */
interface RouteValue {
  readonly description?: string;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

/** The text of a route for an option: a phrase with the range and the default. */
export function phraseOf({ description = '', min, max, default: value }: RouteValue): string {
  const [first = '', ...others] = description.replace(/\.$/, '');
  const range = min === undefined || max === undefined ? '' : `, ${min} to ${max}`;
  return `${first.toLowerCase()}${others.join('')}${range}${value === undefined ? '' : ` (default ${value})`}`;
}

/** An option for a value of a route. */
export function wordOf<Value extends RouteValue>(value: Value) {
  const choices = value.choices === undefined ? {} : { choices: value.choices };
  return { ...word(phraseOf(value)), ...choices };
}

/** An option that may be given several times. */
export function words(describe: string) {
  return {
    type: 'string',
    describe,
    requiresArg: true,
    array: true,
    nargs: 1,
    default: [] as string[],
  } as const satisfies Options;
}

export function flag(describe: string) {
  return { type: 'boolean', describe, default: false } as const satisfies Options;
}

/** `name=value` pairs; `isLast` splits at the last `=`, as the name may hold one. */
export function parsePairs(option: string, pairs: readonly string[], isLast: boolean): ReadonlyMap<string, string> {
  const parsed = new Map<string, string>();
  for (const pair of pairs) {
    const at = isLast ? pair.lastIndexOf('=') : pair.indexOf('=');
    if (at < 1) throw new UsageError(`--${option} "${pair}" is not of the form <name>=<value>.`);
    const name = pair.slice(0, at);
    if (parsed.has(name)) throw new UsageError(`--${option} names ${name} twice.`);
    parsed.set(name, pair.slice(at + 1));
  }
  return parsed;
}

/** @throws UsageError for what is no whole number from 1 to the maximum */
export function parseCount(option: string, text: string | undefined, max: number): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text ?? '') && value >= 1 && value <= max) return value;
  throw new UsageError(`--${option} must be a whole number from 1 to ${max}; found "${text ?? ''}".`);
}

function once(value: string | readonly string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw new UsageError(`An option was given twice: ${value.join(', ')}.`);
  return value as string | undefined;
}
