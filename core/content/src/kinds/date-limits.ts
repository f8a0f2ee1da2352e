import type { FieldOptions } from '@gantry/plugin-api';
import { refused, type Parsed } from './field-kind';
import type { FieldRules } from './field-rules';

type ReadText = (text: string) => Parsed<string>;

/** Reads a value within `min` and `max` of its field. What `read` gives has to be in order as text. */
export function readWithin(
  read: ReadText,
  text: string,
  { min, max }: Pick<FieldRules, 'min' | 'max'>,
): Parsed<string> {
  const value = read(text);
  if (!value.ok) return value;
  const [first, last] = [limit(read, min), limit(read, max)];
  if (first !== undefined && value.value < first) return refused('OUT_OF_RANGE', `must be at least ${min}`);
  if (last !== undefined && value.value > last) return refused('OUT_OF_RANGE', `must be at most ${max}`);
  return value;
}

/** Problems of `min` and `max`: sentences that continue the name of the field. */
export function dateLimitProblems(read: ReadText): (options: FieldOptions) => readonly string[] {
  return ({ min, max }) => {
    const problems = Object.entries({ min, max }).flatMap(([option, text]) => {
      const value = text === undefined ? undefined : read(String(text));
      return value === undefined || value.ok ? [] : [`has a ${option} of ${text}: it ${value.message}`];
    });
    const [first, last] = [limit(read, min), limit(read, max)];
    return first !== undefined && last !== undefined && first > last
      ? [...problems, 'has a min above its max']
      : problems;
  };
}

/** Limits of dates as sentences: JSON Schema has no keyword for them. */
export function describeLimits({ min, max }: Pick<FieldRules, 'min' | 'max'>): readonly string[] {
  return [...(min === undefined ? [] : [`At least ${min}.`]), ...(max === undefined ? [] : [`At most ${max}.`])];
}

function limit(read: ReadText, declared: number | string | undefined): string | undefined {
  const value = declared === undefined ? undefined : read(String(declared));
  return value?.ok === true ? value.value : undefined;
}
