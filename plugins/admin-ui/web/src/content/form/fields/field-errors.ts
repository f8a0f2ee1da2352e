import type { FormField } from '@gantry/contracts';
import type { ValueProblem } from '@gantry/ui';
import { ApiError, messageOf } from '../../../api/api-error';

export interface SaveProblems {
  /** Problems by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The same, one by one, with the part of the value that each is about. */
  readonly parts: Readonly<Record<string, readonly ValueProblem[]>>;
  /** Other problems; undefined when every problem belongs to a field. */
  readonly general: unknown;
}

export const noProblems: SaveProblems = { fields: {}, parts: {}, general: undefined };

/**
 * Sorts the problems of a refused write onto the fields they are about.
 * @param reword says it in the words of the form
 */
export function saveProblems(
  fields: readonly FormField[],
  error: unknown,
  reword = (_field: FormField, message: string): string => message,
): SaveProblems {
  const details = error instanceof ApiError ? error.details : [];
  const byField: Record<string, string> = {};
  const parts: Record<string, readonly ValueProblem[]> = {};
  let unplaced = false;
  for (const { path, message: said } of details) {
    const field = fields.find(({ name }) => name === fieldOf(path));
    const message = field === undefined ? said : reword(field, said);
    if (field === undefined) unplaced = true;
    else {
      byField[field.name] = [byField[field.name], readable(field, message)]
        .filter((text) => text !== undefined)
        .join(' ');
      parts[field.name] = [...(parts[field.name] ?? []), partOf(field, path, message)];
    }
  }
  const allPlaced = details.length > 0 && !unplaced;
  return { fields: byField, parts, general: allPlaced ? undefined : plain(error) };
}

/** `articles[2]` and `articles.2` are about the field articles. */
function fieldOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** `links[2].url is required` is about `[2].url` and reads `is required`. */
function partOf(field: FormField, path: string, message: string): ValueProblem {
  const text = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  return { path: path.slice(field.name.length), message: text };
}

/** `price must be a number` reads `Price must be a number`. */
function readable(field: FormField, message: string): string {
  const text =
    /^[ .[]/.test(message.slice(field.name.length)) && message.startsWith(field.name)
      ? `${field.displayName}${message.slice(field.name.length)}`
      : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function plain(error: unknown): unknown {
  return error instanceof Error ? error : new Error(messageOf(error));
}
