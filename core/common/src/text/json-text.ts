import { isNumber } from 'lossless-json';

/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Depth, counts and inexact numbers of a JSON text, whether it is valid or not. */
export interface JsonShape {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Values in objects and arrays; an empty object or array counts twice. */
  readonly values: number;
  /** Members of all objects. */
  readonly members: number;
  /** The numbers that JavaScript would write in another way, for example 24.90 or 9007199254740993. */
  readonly inexactNumbers: readonly Span[];
}

/** Where {@link scanJson} stops: the text is rejected whatever follows. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly maxMembers: number;
}

/** Reads a JSON text once, in time linear to its length. The result for a text beyond the limits is beyond them too. */
export function scanJson(text: string, limits: JsonLimits): JsonShape {
  const inexactNumbers: Span[] = [];
  let [depth, maxDepth, values, numbers, members] = [0, 0, 1, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma) values += 1;
    else if (code === colon) members += 1;
    else if (code === openBrace || code === openBracket) {
      values += 1;
      depth += 1;
      maxDepth = Math.max(maxDepth, depth);
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (isNumberStart(code)) {
      const end = endOfNumber(text, index);
      if (isInexact(text.slice(index, end))) inexactNumbers.push({ start: index, end });
      numbers += 1;
      index = end - 1;
    } else continue;
    if (maxDepth > limits.maxDepth || members > limits.maxMembers) break;
    if (values > limits.maxValues || numbers > limits.maxValues) break;
  }
  return { depth: maxDepth, values: Math.max(values, numbers), members, inexactNumbers };
}

/**
 * Writes the inexact numbers of a JSON text as strings that begin with the marker. What was no valid JSON is none
 * afterwards, as a number that is used as a key stays as it is.
 */
export function markNumbers(text: string, numbers: readonly Span[], marker: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of numbers) {
    if (nextCode(text, end) === colon) continue;
    pieces.push(text.slice(from, start), `"${marker}`, text.slice(start, end), '"');
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

/** A key that occurs twice in one object of a valid JSON text, with values that are not written in the same way. */
export function findRepeatedKey(text: string): { readonly key: string; readonly position: number } | undefined {
  const levels: Level[] = [];
  let level: Level = { members: undefined, member: undefined, valueStart: 0 };
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = endOfString(text, index);
      level.member ??= { start: index, end: end + 1 };
      index = end;
    } else if (code === colon) level.valueStart = index + 1;
    else if (code === openBrace || code === openBracket) {
      levels.push(level);
      level = { members: code === openBrace ? new Map() : undefined, member: undefined, valueStart: 0 };
    } else if (code === comma || code === closeBrace || code === closeBracket) {
      const repeated = endMember(text, level, index);
      if (repeated !== undefined) return repeated;
      if (code !== comma) level = levels.pop() ?? level;
    }
  }
  return undefined;
}

/** An object or array that is being read. */
interface Level {
  /** The text of each value by key; undefined for an array. */
  readonly members: Map<string, string> | undefined;
  /** In an object, the key that was read last, while its value is being read. */
  member: Span | undefined;
  valueStart: number;
}

function endMember(text: string, level: Level, end: number): { key: string; position: number } | undefined {
  const { members, member, valueStart } = level;
  level.member = undefined;
  if (members === undefined || member === undefined) return undefined;
  const key = keyOf(text.slice(member.start, member.end));
  const value = text.slice(valueStart, end).trim();
  const known = members.get(key);
  if (known !== undefined && known !== value) return { key, position: member.start };
  members.set(key, value);
  return undefined;
}

function keyOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The first character that is no space. */
function nextCode(text: string, from: number): number {
  let index = from;
  while (isSpace(text.charCodeAt(index))) index += 1;
  return text.charCodeAt(index);
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === backslash) index += 1;
    else if (code === quote) return index;
  }
  return index;
}

function isNumberStart(code: number): boolean {
  return isDigit(code) || code === minus;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberPart(text.charCodeAt(end))) end += 1;
  return end;
}

function isNumberPart(code: number): boolean {
  return isDigit(code) || code === point || code === minus || code === plus || code === lowerE || code === upperE;
}

function isDigit(code: number): boolean {
  return code >= digit0 && code <= digit9;
}

function isInexact(text: string): boolean {
  return String(Number(text)) !== text && isNumber(text);
}

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
const [plus, minus, point, digit0, digit9, upperE, lowerE] = [43, 45, 46, 48, 57, 69, 101];
