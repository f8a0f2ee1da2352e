import { refused, type ItemLink, type KindField, type KindLinks, type RefusedValue } from '@gantry/plugin-api';
import type { DocumentNode, LinkedItem } from './document-node';
import { itemLink } from './settings';

/** The types that a field may link to. */
export type LinkTargets = NonNullable<KindField['links']>['targets'];

/** Different items that a document may link to, at most. */
export const maxLinkedItems = 1_000;

/** The attributes of a link to an item, or which of them is wrong. */
export function readItemLink(
  { type, id }: Readonly<Record<string, unknown>>,
  targets: LinkTargets,
): LinkedItem | { readonly at: string; readonly problem: RefusedValue } {
  const known = targets.some(({ target, earlierCodes }) => target === type || earlierCodes.includes(String(type)));
  if (typeof type !== 'string' || !known) {
    const shown = targets.flatMap(({ target, isHidden }) => (isHidden === true ? [] : [target]));
    const wanted = shown.length === 0 ? 'a type that the field may link to' : `one of ${shown.join(', ')}`;
    return { at: 'type', problem: refused('NOT_AN_OPTION', `must be ${wanted}`) };
  }
  if (typeof id === 'string' && isId(id)) return { type, id };
  return { at: 'id', problem: refused('WRONG_TYPE', 'must be the id of an item as text, such as "12"') };
}

const largestId = 2n ** 63n - 1n;

function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= largestId;
}

/** The items that a document links to, each once, in the order of the text. */
export function linkedItems(document: DocumentNode): readonly LinkedItem[] {
  const found = new Map<string, LinkedItem>();
  addLinks(document, found);
  return [...found.values()];
}

function addLinks({ marks = [], content = [] }: DocumentNode, found: Map<string, LinkedItem>): void {
  for (const { attrs } of marks) {
    if (attrs !== undefined && 'id' in attrs) found.set(`${attrs.type} ${attrs.id}`, attrs);
  }
  for (const node of content) addLinks(node, found);
}

/** The links that the platform keeps: beside the document and its text, the column has them as `links`. */
export const documentLinks: KindLinks = {
  sql: (column) => `(${column} -> 'links')`,
  find: (value) => (JSON.parse(String(value)) as { readonly links?: readonly ItemLink[] }).links ?? [],
  map: mapped,
};

/** A text without marks has none, as the editor writes it. */
function mapped(node: unknown, replace: (link: ItemLink) => ItemLink | undefined): unknown {
  if (!isObject(node)) return node;
  const { marks, content } = node;
  const others: Record<string, unknown> = { ...node };
  if (Array.isArray(content)) others['content'] = content.map((one: unknown) => mapped(one, replace));
  if (!Array.isArray(marks)) return others;
  const kept = marks.flatMap((mark: unknown) => mappedMark(mark, replace));
  if (kept.length > 0 || marks.length === 0) return { ...others, marks: kept };
  delete others['marks'];
  return others;
}

function mappedMark(mark: unknown, replace: (link: ItemLink) => ItemLink | undefined): readonly unknown[] {
  const attrs = isObject(mark) && mark['type'] === itemLink ? mark['attrs'] : undefined;
  if (!isObject(mark) || !isObject(attrs) || typeof attrs['type'] !== 'string') return [mark];
  const { type, id, key, ...rest } = attrs;
  const link = replace({
    type,
    ...(typeof id === 'string' ? { id } : {}),
    ...(key === undefined ? {} : { key }),
  });
  if (link === undefined) return [];
  // A value that is no id is left to be refused.
  const isOdd = id !== undefined && typeof id !== 'string';
  return [{ ...mark, attrs: { ...rest, ...(isOdd ? { id } : {}), ...link } }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
