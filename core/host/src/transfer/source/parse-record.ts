import { isJsonObject, parseJson } from '../../items/json';
import { unreadable, type SourceRecord } from './source-record';

/** One item from its JSON text. */
export function parseRecord(text: string, line: number): SourceRecord {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return unreadable(line, `is not valid JSON: ${reason(error)}`);
  }
  if (!isJsonObject(value)) return unreadable(line, 'must be a JSON object of field names and values');
  return { line, values: value, size: text.length };
}

function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.length > 200 ? `${message.slice(0, 200)}…` : message;
}
