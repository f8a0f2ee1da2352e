import {
  accepted,
  commonOperators,
  defineFieldKind,
  emptyWhere,
  escapePattern,
  refused,
  refusedWithin,
  type JsonSchema,
  type KindField,
  type KindOperator,
  type ParsedValue,
  type RefusedValue,
  type ValueProblem,
} from '@gantry/plugin-api';
import { isSameJson, isStorable, parseJsonText } from '../json-text';
import { documentLinks, linkedItems, maxLinkedItems } from './item-links';
import { readDocument, type ReadDocument } from './read-document';
import { documentRules, settingsProblems } from './settings';
import { documentOfText } from './take-over';
import type { DocumentNode } from './document-node';

/** Bytes of the JSON of a document at most. */
const maxBytes = 1_000_000;

const paragraph = '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Hello"}]}]}';

const wrong = refused('WRONG_TYPE', `must be a document, such as ${paragraph}`);

/** A part of the text, whatever its case and marks. */
const contains: KindOperator = {
  bind(text) {
    if (!isStorable(text)) return refused('CHARACTER', 'must not contain characters that cannot be stored');
    return accepted({
      value: `%${escapePattern(text.normalize('NFC'))}%`,
      condition: (column, parameter) => `${column} ->> 'text' ILIKE ${parameter}`,
    });
  },
};

/** No document, or one in which there is nothing to see. */
const isEmpty = emptyWhere((column) => {
  const rule = `jsonb_path_exists(${column}, 'strict $.**.type ? (@ == "horizontalRule")', '{}', true)`;
  return String.raw`(${column} IS NULL OR ${column} ->> 'text' !~ '\S' AND ${rule} IS NOT TRUE)`;
});

/**
 * A structured document: paragraphs, headings, lists and so on, with marks on their texts. It is no HTML, and has no node, mark or attribute
 * that is not known here. The column has it beside its text without marks, `{ "doc", "text" }`, in which searches look, and where there are such, its links to items.
 */
export const richTextKind = defineFieldKind({
  name: 'RichText',
  column: 'JSONB',
  clientType: '{ readonly type: "doc"; readonly content: readonly object[] }',
  rowType: 'object',
  isListed: false,
  operators: { ...commonOperators, EMPTY: isEmpty, CONTAINS: contains },
  checkSettings: settingsProblems,
  takeOver: documentOfText,
  parse: readValue,
  isSame: isSameJson,
  links: documentLinks,
  convert: readText,
  fromHistory: (value) => (isStored(value) ? value.doc : value),
  json: (column) => `(${column} -> 'doc')::text`,
  fromCell: (text) => parseJsonText(text) ?? text,
  toCell: documentText,
  toFileJson: documentText,
  formMembers: (field) => ({ valueType: 'object', document: documentRules(field) }),
  jsonSchema: documentSchema,
  rowSchema: ({ displayName, required }) => ({ title: displayName, type: required ? 'object' : ['object', 'null'] }),
  describe: () => ['A document of at most 1 MB of JSON; nodes, marks and attributes that are not known are refused.'],
  example: ({ required }) => (required ? (JSON.parse(paragraph) as unknown) : undefined),
});

function readValue(value: unknown, field: KindField): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const read = readDocument(value, documentRules(field), field.links?.targets);
  if ('problems' in read) return problemsOf(read.problems);
  if (field.required && isBlankDocument(read.document)) return refused('REQUIRED', 'is required and has no text');
  return storedText(read);
}

function problemsOf([first, ...others]: readonly ValueProblem[]): RefusedValue {
  return first === undefined ? wrong : refusedWithin([first, ...others]);
}

function storedText({ document }: Extract<ReadDocument, { document: unknown }>): ParsedValue<string> {
  const json = JSON.stringify(document);
  if (Buffer.byteLength(json) > maxBytes) return refused('TOO_LONG', `must be at most ${maxBytes} bytes of JSON`);
  const links = linkedItems(document);
  if (links.length > maxLinkedItems) {
    return refused('TOO_MANY', `must link to at most ${maxLinkedItems} different items`);
  }
  const linked = links.length === 0 ? '' : `,"links":${JSON.stringify(links)}`;
  return accepted(`{"doc":${json},"text":${JSON.stringify(plainText(document))}${linked}}`);
}

/** Of a criterion that compares whole documents. It may have nodes that the field does not have any more. */
function readText(text: string, { links }: KindField): ParsedValue<string> {
  const rules = documentRules(links === undefined ? {} : { links });
  const read = readDocument(parseJsonText(text), rules, links?.targets);
  return 'problems' in read ? problemsOf(read.problems) : storedText(read);
}

interface Stored {
  readonly doc: unknown;
  readonly text: unknown;
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'doc' in value && 'text' in value;
}

/** The document in the text of the column. */
function documentText(text: string): string {
  const stored: unknown = JSON.parse(text);
  return isStored(stored) ? JSON.stringify(stored.doc) : text;
}

/** The first level only: a schema that refers to itself has no place in a document of others. */
function documentSchema(field: KindField): JsonSchema {
  return {
    type: 'object',
    required: ['type', 'content'],
    additionalProperties: false,
    properties: {
      type: { const: 'doc' },
      content: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['type'], properties: { type: { enum: documentRules(field).nodes } } },
      },
    },
  };
}

/** The text of a document that searches compare: a line for each block and line break. */
function plainText(document: DocumentNode): string {
  const lines: string[] = [];
  addLines(document, lines);
  return lines.join('\n').normalize('NFC');
}

function addLines({ content = [] }: DocumentNode, lines: string[]): void {
  if (content.some(isInline)) {
    lines.push(content.map(({ text = '\n' }) => text).join(''));
    return;
  }
  for (const block of content) addLines(block, lines);
}

function isInline({ type }: DocumentNode): boolean {
  return type === 'text' || type === 'hardBreak';
}

/** Whether there is nothing to see in a document: no text, and no line across it. */
function isBlankDocument(document: DocumentNode): boolean {
  return plainText(document).trim() === '' && !hasRule(document);
}

function hasRule({ type, content = [] }: DocumentNode): boolean {
  return type === 'horizontalRule' || content.some(hasRule);
}
