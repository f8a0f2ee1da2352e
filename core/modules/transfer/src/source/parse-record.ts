import { isJsonObject, parseMarkedJson, withExactNumbers, type MarkedJson, messageOf } from '@gantry/core-common';
import { unreadable, type SourceRecord } from './source-record';

/** The JSON text of an item, and the line on which it begins. */
export interface RecordText {
  readonly line: number;
  readonly text: string;
}

/** The parsed text of an item, or its problem, in a form that can be passed between threads. */
export type ReadRecord = { readonly json: MarkedJson } | { readonly problem: string };

/** One item from its JSON text. */
export function parseRecord(source: RecordText): SourceRecord {
  return toRecord(readRecord(source.text), source);
}

export function readRecord(text: string): ReadRecord {
  try {
    return { json: parseMarkedJson(text) };
  } catch (error) {
    return { problem: describe(error) };
  }
}

export function toRecord(read: ReadRecord, { line, text }: RecordText): SourceRecord {
  if ('problem' in read) return unreadable(line, read.problem);
  const value = withExactNumbers(read.json);
  if (!isJsonObject(value)) return unreadable(line, 'must be a JSON object of field names and values');
  return { line, values: value, size: text.length };
}

/** Only what the parser itself says is about JSON. */
function describe(error: unknown): string {
  const isSyntax = error instanceof Error && error.cause instanceof Error;
  const cause = isSyntax ? error.cause : error;
  const message = messageOf(cause);
  const short = message.length > 200 ? `${message.slice(0, 200)}…` : message;
  return isSyntax ? `is not valid JSON: ${short}` : `cannot be stored: ${short.replace(/\.$/, '')}`;
}
