import type { FormField } from '@gantry/contracts';
import { ApiError, messageOf } from '../../api/api-error';

export interface SaveProblems {
  /** What is wrong with a field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is wrong beside that; undefined when every problem belongs to a field. */
  readonly general: unknown;
}

export const noProblems: SaveProblems = { fields: {}, general: undefined };

/** Sorts the problems of a refused write onto the fields they are about. */
export function saveProblems(fields: readonly FormField[], error: unknown): SaveProblems {
  const details = error instanceof ApiError ? error.details : [];
  const byField: Record<string, string> = {};
  let unplaced = false;
  for (const { path, message } of details) {
    const field = fields.find(({ name }) => name === fieldOf(path));
    if (field === undefined) unplaced = true;
    else {
      byField[field.name] = [byField[field.name], readable(field, message)]
        .filter((text) => text !== undefined)
        .join(' ');
    }
  }
  const allPlaced = details.length > 0 && !unplaced;
  return { fields: byField, general: allPlaced ? undefined : plain(error) };
}

/** `articles[2]` and `articles.2` are about the field articles. */
function fieldOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** `price must be a number` reads `Price must be a number`. */
function readable(field: FormField, message: string): string {
  const text = message.startsWith(`${field.name} `)
    ? `${field.displayName}${message.slice(field.name.length)}`
    : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function plain(error: unknown): unknown {
  return error instanceof Error ? error : new Error(messageOf(error));
}
