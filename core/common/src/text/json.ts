import { randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import { messageOf } from '../errors';
import { findRepeatedKey, markNumbers, scanJson, type JsonShape, type Span } from './json-text';

/**
 * A parsed JSON object: own properties only count, read them with Object.hasOwn. A number is a JavaScript number, or a
 * LosslessNumber where that would not be written in the same way; {@link numberText} reads both.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Thrown for a text that is no JSON, or more of it than is read. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/** Deeper nesting has no use here and only costs stack. */
const maxDepth = 64;

/** Each value takes many times the memory and the time of its text. */
const maxValues = 50_000;

/** Members of all objects together: each key takes as much time as several values. */
const maxMembers = 20_000;

/** Characters of a text that is read in one go; longer ones are read in steps, between which other requests are served. */
const maxLengthAtOnce = 64 * 1024;

/**
 * Parses a request body without losing a digit of its numbers. The time is linear to the length of the text, whatever the
 * text is, and no step takes more than some 20 milliseconds for 1 MiB.
 * A key that occurs twice in one object with different values is refused, as no one could say which one counts.
 * @throws JsonTextError that says what is wrong and where.
 */
export function parseBody(text: string): unknown {
  return text.length > maxLengthAtOnce ? parseInSteps(text) : parseJson(text);
}

async function parseInSteps(text: string): Promise<unknown> {
  const shape = scanBody(text);
  await yieldToEventLoop();
  const marked = parseScannedBody(text, shape);
  if (marked.marker === undefined) return marked.value;
  await yieldToEventLoop();
  return withExactNumbers(marked);
}

/** {@link parseBody} in one go, for short texts. */
export function parseJson(text: string): unknown {
  return withExactNumbers(parseMarkedJson(text));
}

/** A parsed JSON text whose inexact numbers are strings behind a marker: plain values, which can go to another thread. */
export interface MarkedJson {
  readonly value: unknown;
  /** Undefined when all numbers are exact. */
  readonly marker: string | undefined;
}

/** The first, longer part of {@link parseJson}. */
export function parseMarkedJson(text: string): MarkedJson {
  return parseScannedBody(text, scanBody(text));
}

function scanBody(text: string): JsonShape {
  const shape = scanJson(text, { maxDepth, maxValues, maxMembers });
  if (shape.depth > maxDepth) {
    throw new JsonTextError(`The JSON body is nested more than ${maxDepth} levels deep.`);
  }
  if (shape.values > maxValues) {
    throw new JsonTextError(`The JSON holds more than ${maxValues.toLocaleString('en')} values.`);
  }
  if (shape.members > maxMembers) {
    throw new JsonTextError(`The objects of the JSON have more than ${maxMembers.toLocaleString('en')} keys.`);
  }
  return shape;
}

function parseScannedBody(text: string, shape: JsonShape): MarkedJson {
  try {
    return parseScanned(text, shape);
  } catch (cause) {
    throw new JsonTextError(`The body is not valid JSON: ${describe(cause)}.`, { cause });
  }
}

/** Parses JSON that the platform wrote itself, of any size. */
export function parseWrittenJson(text: string): unknown {
  return withExactNumbers(parseScanned(text, scanJson(text, unlimited)));
}

const unlimited = { maxDepth: Infinity, maxValues: Infinity, maxMembers: Infinity } as const;

/** The second part of {@link parseJson}; changes the value itself. */
export function withExactNumbers({ value, marker }: MarkedJson): unknown {
  if (marker === undefined) return value;
  return replaceLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(marker) ? new LosslessNumber(leaf.slice(marker.length)) : leaf,
  );
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** A number of a parsed JSON text, as it was written; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return isLosslessNumber(value) ? value.value : undefined;
}

/** The JSON of a value of {@link parseJson}: every digit of a number stays. */
export function exactJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const digits = numberText(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`)
    .join(',')}}`;
}

/** The same value with ordinary numbers, for plugins' routes. */
export function withPlainNumbers(value: unknown): unknown {
  return replaceLeaves(value, (leaf) => (isLosslessNumber(leaf) ? Number(leaf.value) : leaf));
}

function parseScanned(text: string, { members, inexactNumbers }: JsonShape): MarkedJson {
  const marker = inexactNumbers.length === 0 ? undefined : randomBytes(9).toString('base64url');
  const value: unknown = marker === undefined ? JSON.parse(text) : parseMarked(text, inexactNumbers, marker);
  if (countMembers(value) < members) assertNoRepeatedKey(text);
  return { value, marker };
}

/** Of a key that is repeated, the built-in parser keeps the last value and says nothing. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const isArray = Array.isArray(value);
  const parts: readonly unknown[] = isArray ? value : Object.values(value);
  let count = isArray ? 0 : parts.length;
  for (const part of parts) if (typeof part === 'object') count += countMembers(part);
  return count;
}

function assertNoRepeatedKey(text: string): void {
  const repeated = findRepeatedKey(text);
  if (repeated === undefined) return;
  throw new Error(`Duplicate key '${repeated.key}' with different values at position ${repeated.position}`);
}

/**
 * Parses a text whose numbers have to keep their digits: the built-in parser gets them as strings. They begin with a
 * random marker, which no other string can have. The parser of lossless-json takes up to a hundred times as long.
 */
function parseMarked(text: string, numbers: readonly Span[], marker: string): unknown {
  try {
    return JSON.parse(markNumbers(text, numbers, marker));
  } catch {
    // The reason names positions and parts of the text that was sent.
    return JSON.parse(text);
  }
}

/** Replaces the values that are no objects and no arrays; changes the value itself. */
function replaceLeaves(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = replaceLeaves(value[index], replace);
    return value;
  }
  if (!isMutableObject(value)) return replace(value);
  for (const key of Object.keys(value)) {
    const part = value[key];
    const replaced = replaceLeaves(part, replace);
    if (replaced === part) continue;
    // Assigned, this key would set the prototype.
    if (key === '__proto__') Object.defineProperty(value, key, { value: replaced });
    else value[key] = replaced;
  }
  return value;
}

function isMutableObject(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value);
}

function describe(cause: unknown): string {
  const reason = messageOf(cause);
  const message = reason.replace(/ is not valid JSON$/, '').replaceAll(/\s+/g, ' ');
  return message.length > 200 ? `${message.slice(0, 200)}…` : message;
}
