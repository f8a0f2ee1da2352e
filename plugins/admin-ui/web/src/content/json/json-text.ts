import { parse, stringify } from 'lossless-json';

/** Where a text stops to be JSON; both begin with 1. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Problem of a text as JSON, a key that an object has twice included; undefined for JSON. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const found = / at position (\d+)/.exec(message);
    const before = text.slice(0, found === null ? text.length : Number(found[1]));
    const lines = before.split('\n');
    return {
      line: lines.length,
      column: (lines.at(-1) ?? '').length + 1,
      message: found === null ? message : message.slice(0, found.index),
    };
  }
}

/** The same JSON with a line for each member, and every digit; any other text as it is. */
export function formattedJson(text: string): string {
  try {
    return stringify(parse(text), undefined, 2) ?? text;
  } catch {
    return text;
  }
}
