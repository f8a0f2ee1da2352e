import { exactNumberText, type ValueProblem, accepted, refused, type ParsedValue } from '@gantry/plugin-api';
import { isStorable } from '../json-text';
import type { DocumentMark, DocumentNode } from './document-node';
import { readItemLink, type LinkTargets } from './item-links';
import { itemLink, type DocumentRules } from './settings';

const wrong = refused(
  'PATTERN',
  'must be an address that begins with http://, https:// or mailto:, such as https://example.org/page',
);

/** Longest address, as that of the kind Url. */
const maxLength = 2048;

/** The address of a link, as it is written. No other scheme, such as `javascript:`, is accepted. */
function readLink(value: unknown): ParsedValue<string> {
  if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
  if (value.length > maxLength) return refused('TOO_LONG', `must have at most ${maxLength} characters`);
  // A browser would leave out or turn round some of these, and go to another address than is shown.
  if (/[\u0000-\u0020\u007f-\u00a0\\\p{Cf}\p{Cs}\p{Z}]/u.test(value)) return wrong;
  if (!/^(?:https?:\/\/[^/?#]|mailto:[^@/?#]+@[^@/?#])/i.test(value) || !URL.canParse(value)) return wrong;
  const { username, password } = new URL(value);
  if (username === '' && password === '') return accepted(value);
  return refused('PATTERN', 'must not have a user name or password in it');
}

/** Nodes within each other at most, the document and its texts included: ten lists. The body of a request may be 64 levels of JSON deep. */
const maxDepth = 24;

/** More would make an answer many times as long as the request. */
const maxProblems = 50;

/** The document without problems, or the problems. */
export type ReadDocument = { readonly document: DocumentNode } | { readonly problems: readonly ValueProblem[] };

/** Reads the JSON of a document by the rules of a field. Each problem has its place in the value. */
export function readDocument(value: unknown, rules: DocumentRules, targets: LinkTargets = []): ReadDocument {
  const reading: Reading = { rules, targets, problems: [] };
  const document = readNode(value, { path: '', allowed: ['doc'], depth: 1 }, reading);
  if (document !== undefined && reading.problems.length === 0) return { document };
  return { problems: reading.problems.slice(0, maxProblems) };
}

interface Reading {
  readonly rules: DocumentRules;
  readonly targets: LinkTargets;
  readonly problems: ValueProblem[];
}

interface Place {
  readonly path: string;
  /** The types that a node may have there. */
  readonly allowed: readonly string[];
  readonly depth: number;
  /** In a block of code, where texts have no marks. */
  readonly isPlain?: boolean;
}

/** Members of a node in addition to its type. */
interface NodeShape {
  readonly members: readonly string[];
  readonly content?: 'blocks' | 'inline' | 'texts' | 'items' | 'item';
  readonly attributes?: readonly string[];
}

const shapes: Readonly<Record<string, NodeShape>> = {
  doc: { members: ['content'], content: 'blocks' },
  paragraph: { members: ['content'], content: 'inline' },
  heading: { members: ['attrs', 'content'], content: 'inline', attributes: ['level'] },
  bulletList: { members: ['content'], content: 'items' },
  orderedList: { members: ['attrs', 'content'], content: 'items', attributes: ['start'] },
  listItem: { members: ['content'], content: 'item' },
  blockquote: { members: ['content'], content: 'blocks' },
  codeBlock: { members: ['content'], content: 'texts' },
  horizontalRule: { members: [] },
  hardBreak: { members: [] },
  text: { members: ['text', 'marks'] },
};

type Given = Readonly<Record<string, unknown>>;

function readNode(value: unknown, place: Place, reading: Reading): DocumentNode | undefined {
  const { path, allowed, depth } = place;
  if (reading.problems.length >= maxProblems) return undefined;
  if (!isObject(value)) {
    return report(reading, path, 'WRONG_TYPE', `must be an object with a type, which is ${anyOf(allowed)}`);
  }
  const { type } = value;
  const shape = typeof type === 'string' && allowed.includes(type) ? shapes[type] : undefined;
  if (typeof type !== 'string' || shape === undefined) {
    return report(reading, `${path}.type`, 'NOT_AN_OPTION', `must be ${anyOf(allowed)}${found(type)}`);
  }
  if (depth > maxDepth) {
    return report(reading, path, 'OUT_OF_RANGE', `must not be nested more than ${maxDepth} levels deep`);
  }
  refuseOthers(value, ['type', ...shape.members], { path, what: `a member of ${type}` }, reading);
  if (type === 'text') return readText(value, place, reading);
  const attrs = readAttributes(value, type, shape, path, reading);
  const content = readContent(value, shape, place, reading);
  return { type, ...(attrs === undefined ? {} : { attrs }), ...(content === undefined ? {} : { content }) };
}

function readContent(
  { content: given }: Given,
  { content: kind }: NodeShape,
  { path, depth }: Place,
  reading: Reading,
): readonly DocumentNode[] | undefined {
  if (kind === undefined) return undefined;
  const needsSome = kind !== 'inline' && kind !== 'texts';
  if (given === undefined && !needsSome) return undefined;
  const at = `${path}.content`;
  if (!Array.isArray(given) || (needsSome && given.length === 0)) {
    const wanted = needsSome ? 'an array with at least one node' : 'an array of nodes';
    return report(reading, at, 'WRONG_TYPE', `must be ${wanted}`);
  }
  const nodes: DocumentNode[] = [];
  for (const [index, node] of (given as readonly unknown[]).entries()) {
    if (reading.problems.length >= maxProblems) break;
    const allowed = typesOf(kind, index, reading.rules);
    const place = { path: `${at}[${index}]`, allowed, depth: depth + 1, isPlain: kind === 'texts' };
    const read = readNode(node, place, reading);
    if (read !== undefined) nodes.push(read);
  }
  return nodes;
}

function typesOf(kind: NonNullable<NodeShape['content']>, index: number, { nodes }: DocumentRules): readonly string[] {
  switch (kind) {
    case 'inline':
      return ['text', 'hardBreak'];
    case 'texts':
      return ['text'];
    case 'items':
      return ['listItem'];
    case 'item':
      return index === 0 ? ['paragraph'] : nodes;
    case 'blocks':
      return nodes;
  }
}

function readAttributes(
  { attrs }: Given,
  type: string,
  { attributes = [] }: NodeShape,
  path: string,
  reading: Reading,
): Readonly<Record<string, number>> | undefined {
  if (attributes.length === 0 || (attrs === undefined && type === 'orderedList')) return undefined;
  const at = `${path}.attrs`;
  if (!isObject(attrs)) return report(reading, at, 'WRONG_TYPE', `must be an object with ${attributes.join(', ')}`);
  refuseOthers(attrs, attributes, { path: at, what: `an attribute of ${type}` }, reading);
  if (type === 'orderedList') return readStart(attrs, at, reading);
  const { headingLevels } = reading.rules;
  const level = headingLevels.find((one) => String(one) === exactNumberText(attrs['level']));
  if (level !== undefined) return { level };
  return report(reading, `${at}.level`, 'NOT_AN_OPTION', `must be ${anyOf(headingLevels.map(String))}`);
}

function readStart(attrs: Given, path: string, reading: Reading): Readonly<Record<string, number>> | undefined {
  if (attrs['start'] === undefined) return {};
  const digits = exactNumberText(attrs['start']) ?? '';
  if (/^\d{1,9}$/.test(digits)) return { start: Number(digits) };
  return report(reading, `${path}.start`, 'OUT_OF_RANGE', 'must be a whole number from 0 to 999999999');
}

function readText(value: Given, { path, isPlain }: Place, reading: Reading): DocumentNode | undefined {
  const { text, marks: given } = value;
  if (typeof text !== 'string' || text === '') {
    return report(reading, `${path}.text`, 'WRONG_TYPE', 'must be text of at least one character');
  }
  if (!isStorable(text) || refusedCharacters.test(text)) {
    return report(
      reading,
      `${path}.text`,
      'CHARACTER',
      'must not contain control characters other than tab and line break',
    );
  }
  if (given === undefined) return { type: 'text', text };
  if (isPlain === true) return report(reading, `${path}.marks`, 'UNKNOWN_FIELD', 'must be left out in a block of code');
  const marks = readMarks(given, `${path}.marks`, reading);
  return marks && { type: 'text', text, marks };
}

/** As those of TEXT: control characters, noncharacters, and annotations between programs. */
const refusedCharacters = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/u;

function readMarks(given: unknown, path: string, reading: Reading): readonly DocumentMark[] | undefined {
  if (!Array.isArray(given)) return report(reading, path, 'WRONG_TYPE', 'must be an array of marks');
  const marks: DocumentMark[] = [];
  for (const [index, one] of (given as readonly unknown[]).entries()) {
    const mark = readMark(one, `${path}[${index}]`, reading);
    if (mark === undefined) return undefined;
    if (marks.some(({ type }) => type === mark.type)) {
      return report(reading, `${path}[${index}]`, 'DUPLICATE', `must not be a second ${mark.type}`);
    }
    marks.push(mark);
  }
  if (marks.length > 1 && marks.some(({ type }) => type === 'code')) {
    return report(reading, path, 'NOT_AN_OPTION', 'must not have code together with another mark');
  }
  if ([itemLink, 'link'].every((one) => marks.some(({ type }) => type === one))) {
    return report(reading, path, 'NOT_AN_OPTION', `must not have link together with ${itemLink}`);
  }
  return marks;
}

function readMark(given: unknown, path: string, reading: Reading): DocumentMark | undefined {
  const { marks } = reading.rules;
  const type = isObject(given) ? given['type'] : undefined;
  if (!isObject(given) || typeof type !== 'string' || !marks.includes(type)) {
    return report(reading, `${path}.type`, 'NOT_AN_OPTION', `must be ${anyOf(marks)}${found(type)}`);
  }
  const attributes = markAttributes[type] ?? [];
  const hasSome = attributes.length > 0;
  refuseOthers(given, hasSome ? ['type', 'attrs'] : ['type'], { path, what: `a member of ${type}` }, reading);
  if (!hasSome) return { type };
  const { attrs } = given;
  if (!isObject(attrs)) {
    return report(reading, `${path}.attrs`, 'WRONG_TYPE', `must be an object with ${attributes.join(' and ')}`);
  }
  refuseOthers(attrs, attributes, { path: `${path}.attrs`, what: `an attribute of ${type}` }, reading);
  if (type === itemLink) {
    const read = readItemLink(attrs, reading.targets);
    return 'problem' in read
      ? report(reading, `${path}.attrs.${read.at}`, read.problem.code, read.problem.message)
      : { type, attrs: read };
  }
  const link = readLink(attrs['href']);
  return link.ok
    ? { type, attrs: { href: link.value } }
    : report(reading, `${path}.attrs.href`, link.code, link.message);
}

const markAttributes: Readonly<Record<string, readonly string[]>> = { link: ['href'], [itemLink]: ['type', 'id'] };

function refuseOthers(
  given: Given,
  known: readonly string[],
  { path, what }: { readonly path: string; readonly what: string },
  reading: Reading,
): void {
  const others = Object.keys(given).filter((key) => !known.includes(key));
  for (const key of others.slice(0, maxProblems)) {
    report(reading, `${path}.${shortened(key)}`, 'UNKNOWN_FIELD', `is not ${what}; known are ${known.join(', ')}`);
  }
}

function report(reading: Reading, path: string, code: string, message: string): undefined {
  if (reading.problems.length < maxProblems) reading.problems.push({ path, code, message });
  return undefined;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && exactNumberText(value) === undefined;
}

function anyOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function found(type: unknown): string {
  return typeof type === 'string' ? `; got ${JSON.stringify(shortened(type))}` : '';
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
