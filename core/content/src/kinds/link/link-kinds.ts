import { isJsonObject, numberText } from '@gantry/core-common';
import {
  accepted,
  readTextList,
  type BoundOperand,
  type ItemLink,
  type KindField,
  type KindLinks,
} from '@gantry/plugin-api';
import {
  parsed,
  plainKind,
  refused,
  type FieldKind,
  type JsonSchema,
  type Parsed,
  type StoredValue,
} from '../field-kind';
import { hasNoMember, jsonOfCell, oneOfMembers } from '../enum/enum-kinds';
import { isOf } from '../links';
import { maximumReferences, readId } from '../reference/reference-kinds';

/** An item of any of several types: `product/5` where it is written, `{ type, id, label }` in rows. Stored as a list of one. */
export const linkKind: FieldKind = {
  ...plainKind,
  name: 'item-link',
  type: 'LINK',
  exact: true,
  unordered: true,
  isSortable: false,
  index: 'members',
  isEmptyTextNone: true,
  isLabel: false,
  clientType: 'LinkedItem',
  parse(value, field) {
    const link = readLink(value, field);
    return link.ok ? parsed(storedText([link.value])) : link;
  },
  links: linksOf('one'),
  operators: {
    EQUALS: { bind: bindOne },
    CONTAINS: { bind: bindOne },
    NOT_EQUALS: { bind: bindOther },
    IN: { bind: bindSeveral },
    EMPTY: hasNoMember,
  },
  isSame: (sent, stored) => storedText(storedLinks(sent)) === storedText(storedLinks(stored)),
  convert(text) {
    const link = readParts(text.trim(), undefined);
    return link.ok ? parsed(storedText([link.value])) : link;
  },
  cast: (value) => `${value}::jsonb`,
  arrayType: 'jsonb[]',
  // Bound as the text that it is; Sequelize would write a text as a JSON text.
  modelType: () => 'JSONB',
  json: (column) => `${column}::text`,
  fromModel: (value) => (isJsonObject(value) ? linkText(value as unknown as ItemLink) : value),
  toModel: (value) => (isJsonObject(value) ? Object.freeze(linkOf(value)) : value),
  fromHistory: (value) => textsOf(value)[0] ?? null,
  fromCell: (text) => jsonOfCell(text, '{') ?? text.trim(),
  toCell: (text) => textsOf(JSON.parse(text))[0] ?? '',
  toFileJson: (text) => JSON.stringify(textsOf(JSON.parse(text))[0] ?? null),
  formMembers: ({ links }) => ({ linkTargets: shownTargets(links) }),
  searchMembers: ({ links }) => ({ linkTargets: shownTargets(links) }),
  jsonSchema: ({ required }) => textSchema(required),
  rowSchema: ({ required }) => ({ $ref: `#/components/schemas/${required ? 'LinkedItem' : 'OptionalLinkedItem'}` }),
  describe: ({ links }) => [`An item of ${shownTargets(links).join(', ')}, as type/id.`],
  example: ({ required, links }) => (required ? `${shownTargets(links)[0] ?? ''}/1` : undefined),
};

/** Items of any of several types, in order. */
export const linksKind: FieldKind = {
  ...linkKind,
  name: 'item-links',
  clientType: 'readonly LinkedItem[]',
  parse: readLinks,
  links: linksOf('list'),
  fromModel: (value) => (Array.isArray(value) ? value.map((one) => linkKind.fromModel(one)) : value),
  toModel: (value) => (Array.isArray(value) ? Object.freeze(value.map((one) => linkKind.toModel(one))) : value),
  fromHistory: textsOf,
  fromCell: (text) => jsonOfCell(text, '[') ?? text.split('|'),
  toCell: (text) => textsOf(JSON.parse(text)).join('|'),
  toFileJson: (text) => JSON.stringify(textsOf(JSON.parse(text))),
  jsonSchema: ({ required }) => ({
    type: 'array',
    items: textSchema(true),
    uniqueItems: true,
    maxItems: maximumReferences,
    ...(required ? { minItems: 1 } : {}),
  }),
  rowSchema: () => ({ $ref: '#/components/schemas/LinkedItems' }),
  describe: ({ links }) => [`Items of ${shownTargets(links).join(', ')}, each as type/id.`],
  example: (field) => (field.required ? [linkKind.example(field)] : undefined),
};

/** The id as text. */
interface StoredLink {
  readonly type: string;
  readonly id: string;
}

function shownTargets(links: KindField['links']): readonly string[] {
  return (links?.targets ?? []).flatMap(({ target, isHidden }) => (isHidden === true ? [] : [target]));
}

function readLink(value: unknown, { links }: Pick<KindField, 'links'>): Parsed<StoredLink> {
  if (typeof value === 'string') return readParts(value, links);
  return refused('WRONG_TYPE', wanted(links));
}

/** @param links undefined where any type is taken */
function readParts(text: string, links: KindField['links'] | undefined): Parsed<StoredLink> {
  const [, type = '', id = ''] = /^([a-z][a-z0-9_]*)\/(\d+)$/.exec(text) ?? [];
  if (!readId(id).ok) return refused('WRONG_TYPE', wanted(links));
  if (links !== undefined && !links.targets.some((target) => isOf(target, type))) {
    return refused('NOT_AN_OPTION', `must be an item of one of the types ${shownTargets(links).join(', ')}`);
  }
  return parsed({ type, id });
}

function wanted(links: KindField['links']): string {
  const [first = 'product'] = shownTargets(links);
  return `must be an item as type/id, such as ${first}/5`;
}

function readLinks(value: unknown, field: KindField): Parsed {
  if (!Array.isArray(value)) return refused('WRONG_TYPE', `must be an array; each entry ${wanted(field.links)}`);
  if (value.length > maximumReferences) return refused('TOO_MANY', `must list at most ${maximumReferences} items`);
  if (value.length === 0) return field.required ? refused('REQUIRED', 'must list an item') : parsed(null);
  const links: StoredLink[] = [];
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    const link = readLink(one, field);
    if (!link.ok) return refused(link.code as 'WRONG_TYPE', `${link.message}; the entry at position ${index} is none`);
    if (links.some(({ type, id }) => type === link.value.type && id === link.value.id)) {
      return refused('DUPLICATE', `must list every item once; ${linkText(link.value)} is listed again`);
    }
    links.push(link.value);
  }
  return parsed(storedText(links));
}

function storedText(links: readonly StoredLink[]): string {
  return JSON.stringify(links.map(({ type, id }) => ({ type, id })));
}

/** Sequelize gives the list, PostgreSQL its text. */
function storedLinks(value: StoredValue): readonly StoredLink[] {
  return (typeof value === 'string' ? JSON.parse(value) : (value ?? [])) as readonly StoredLink[];
}

function linkText({ type, id = '' }: ItemLink): string {
  return `${type}/${id}`;
}

function linkOf(row: Readonly<Record<string, unknown>>): StoredLink {
  return { type: String(row['type']), id: numberText(row['id']) ?? '' };
}

function textsOf(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? (stored as readonly StoredLink[]).map(linkText) : [];
}

function linksOf(rows: NonNullable<KindLinks['rows']>): KindLinks {
  return {
    rows,
    sql: (column) => column,
    find: (value) => storedLinks(value),
    map(value, replace) {
      if (Array.isArray(value)) return (value as readonly unknown[]).flatMap((one) => mapped(one, replace) ?? []);
      return mapped(value, replace) ?? null;
    },
  };
}

function mapped(value: unknown, replace: (link: ItemLink) => ItemLink | undefined): unknown {
  const link = linkWithin(value);
  if (link === undefined) return value;
  const other = replace(link);
  return other === undefined || other.key !== undefined ? other : linkText(other);
}

function linkWithin(value: unknown): ItemLink | undefined {
  if (isJsonObject(value)) {
    const { type, key } = value;
    return typeof type === 'string' && key !== undefined ? { type, key } : undefined;
  }
  const link = typeof value === 'string' ? readParts(value, undefined) : undefined;
  return link?.ok === true ? link.value : undefined;
}

/** Values may have a code that their type had before. */
function membersOf({ type, id }: StoredLink, { links }: KindField): readonly string[] {
  const target = links?.targets.find((one) => isOf(one, type));
  return [type, target?.target ?? type, ...(target?.earlierCodes ?? [])].map((code) =>
    storedText([{ type: code, id }]),
  );
}

function bindOne(text: string, field: KindField): Parsed<BoundOperand> {
  return bindTexts([text.trim()], field);
}

function bindSeveral(text: string, field: KindField): Parsed<BoundOperand> {
  const texts = readTextList(text);
  return texts.ok ? bindTexts(texts.value, field) : texts;
}

function bindTexts(texts: readonly string[], field: KindField): Parsed<BoundOperand> {
  const members: string[] = [];
  for (const text of texts) {
    const link = readParts(text, undefined);
    if (!link.ok) return refused('WRONG_TYPE', wanted(field.links));
    members.push(...membersOf(link.value, field));
  }
  return accepted(oneOfMembers([...new Set(members)]));
}

function bindOther(text: string, field: KindField): Parsed<BoundOperand> {
  const bound = bindOne(text, field);
  return bound.ok ? accepted<BoundOperand>({ ...bound.value, isNegated: true }) : bound;
}

/** The empty text means no item, as forms send it. */
function textSchema(required: boolean): JsonSchema {
  const pattern = '^[a-z][a-z0-9_]*/[1-9][0-9]{0,18}$';
  return { type: 'string', pattern: required ? pattern : `${pattern}|^$` };
}
