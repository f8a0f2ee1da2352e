import { isJsonObject, parseJson } from '../../items/json';
import { unreadable, type SourceRecord } from './source-record';

/** One item from its JSON text. */
export function parseRecord(text: string, line: number): SourceRecord {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return unreadable(line, describe(error));
  }
  if (!isJsonObject(value)) return unreadable(line, 'must be a JSON object of field names and values');
  return { line, values: value, size: text.length };
}

/** Only what the parser itself says is about JSON. */
function describe(error: unknown): string {
  const isSyntax = error instanceof Error && error.cause instanceof Error;
  const cause = isSyntax ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const short = message.length > 200 ? `${message.slice(0, 200)}…` : message;
  return isSyntax ? `is not valid JSON: ${short}` : `cannot be taken in: ${short.replace(/\.$/, '')}`;
}
