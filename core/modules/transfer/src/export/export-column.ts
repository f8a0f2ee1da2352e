import { quoteIdentifier } from '@gantry/core-database';
import {
  type FieldDescriptor,
  type ItemTypeDescriptor,
  hidesItems,
  isLinked,
  referringFields,
  type ItemTypes,
  linkColumnOf,
  rowsOf,
  type FieldKind,
  longKind,
} from '@gantry/core-content';
import { referenceKeyOf, type KeyPart, type ReferenceKey } from '../reference/reference-key';
import { TransferError } from '../transfer-error';

/** One column of an export: the SQL of its text, and what that text means. */
export interface ExportColumn {
  readonly name: string;
  /** NULL where there is no value. For a reference the JSON of a {@link ExportedReference}, or an array of them. */
  readonly expression: string;
  readonly join: string;
  /** The kind of the values; undefined for references. */
  readonly kind: FieldKind | undefined;
  /** Whether the values are lists of references. */
  readonly isList: boolean;
  /** For values with links: what they link to, by target. The text is the JSON of the value and these lists. */
  readonly links?: { readonly field: FieldDescriptor; readonly columns: readonly ExportColumn[] };
  /** For a reference by key. */
  readonly key?: ReferenceKey;
  /** The SQL condition on an item that it refers to one without a key; only where there may be such. */
  readonly unnamed?: string;
}

/** Id, whether the referring item has the same context, so that the first part of the key is enough, and the parts of the key. */
export type ExportedReference = readonly [id: string, isNear: boolean, ...parts: (string | null)[]];

export interface ColumnContext {
  readonly type: ItemTypeDescriptor;
  readonly types: ItemTypes;
  readonly ids: boolean;
}

/** The id of the item, for exports with ids. */
export const idColumn: ExportColumn = { name: 'id', expression: 't.id::text', join: '', kind: longKind, isList: false };

/** @throws TransferError for a reference to items that have nothing but an id */
export function exportColumn(field: FieldDescriptor, position: number, context: ColumnContext): ExportColumn {
  const column = columnOf(field, position, context);
  const { shownOn } = field;
  if (shownOn === undefined) return column;
  const { expression, unnamed } = column;
  return {
    ...column,
    expression: `CASE WHEN ${shownOn} THEN ${expression} END`,
    ...(unnamed === undefined ? {} : { unnamed: `(${shownOn} AND ${unnamed})` }),
  };
}

function columnOf(field: FieldDescriptor, position: number, context: ColumnContext): ExportColumn {
  if (field.reference !== undefined) return referenceColumn(field, `r${position}`, context);
  if (field.links !== undefined && !context.ids) return linksColumn(field, `r${position}`, context);
  const expression = `t.${quoteIdentifier(field.column)}::text`;
  return { name: field.name, expression, join: '', kind: field.kind, isList: false };
}

/** The column of values with links, in which a file names the items by their keys. */
function linksColumn(field: FieldDescriptor, alias: string, context: ColumnContext): ExportColumn {
  const links = referringFields(field).map((to, index) => targetColumn(to, `${alias}x${index}`, context));
  const column = `t.${quoteIdentifier(field.column)}`;
  const lists = links.map(({ expression }) => `${expression}::json`);
  const unnamed = links.flatMap((one) => one.unnamed ?? []);
  return {
    name: field.name,
    expression: `CASE WHEN ${column} IS NOT NULL THEN json_build_array(${[`${column}::text`, ...lists].join(', ')})::text END`,
    ...{ join: '', kind: field.kind, isList: false },
    links: { field, columns: links },
    ...(unnamed.length === 0 ? {} : { unnamed: `(${unnamed.join(' OR ')})` }),
  };
}

/** Items that only their ids name are a problem where there is a link to one. */
function targetColumn(to: FieldDescriptor, alias: string, context: ColumnContext): ExportColumn {
  const target = context.types.find(to.reference?.target ?? '')?.descriptor;
  if (target !== undefined && referenceKeyOf(target, context.types) !== undefined) {
    return referenceColumn(to, alias, context);
  }
  const unnamed = `EXISTS (SELECT 1 FROM ${quoteIdentifier(to.reference?.linkTable ?? '')} l WHERE l.item_id = t.id AND l.${quoteIdentifier(to.reference?.linkColumn ?? '')} IS NOT NULL)`;
  return { ...idsColumn(to), unnamed };
}

function referenceColumn(field: FieldDescriptor, alias: string, context: ColumnContext): ExportColumn {
  const target = context.types.find(field.reference?.target ?? '')?.descriptor;
  if (target === undefined || (context.ids && hidesItems(target))) return hiddenColumn(field, context);
  const key = context.ids ? undefined : referenceKeyOf(target, context.types);
  if (key === undefined && !context.ids) throw withoutKey(field, target.displayName);
  const id = isLinked(field) ? `l.${linkColumnOf(field)}` : `t.${quoteIdentifier(field.column)}`;
  const shown = key === undefined ? `json_build_array(${id}::text, false)` : keyJson(key, id, alias, context.type);
  const joins = key === undefined ? '' : keyJoins(key, alias);
  const named = { name: field.name, kind: undefined, ...(key === undefined ? {} : { key }) };
  const lacking = key === undefined ? undefined : targetLacks(key, alias, context.type);
  if (isLinked(field)) {
    const from = `${quoteIdentifier(field.reference?.linkTable ?? '')} l LEFT JOIN ${rowsOf(target)} ${alias} ON ${alias}.id = ${id}${joins} WHERE l.item_id = t.id AND ${id} IS NOT NULL`;
    const expression = `(SELECT json_agg(${shown} ORDER BY l.position)::text FROM ${from})`;
    const unnamed = `EXISTS (SELECT 1 FROM ${from} AND ${lacking})`;
    return { ...named, expression, join: '', isList: true, ...(lacking === undefined ? {} : { unnamed }) };
  }
  const join = ` LEFT JOIN ${rowsOf(target)} ${alias} ON ${alias}.id = ${id}${joins}`;
  const expression = `CASE WHEN ${id} IS NOT NULL THEN ${shown}::text END`;
  const unnamed = `(${id} IS NOT NULL AND ${lacking})`;
  return { ...named, expression, join, isList: false, ...(lacking === undefined ? {} : { unnamed }) };
}

export function withoutKey(field: FieldDescriptor, target: string): TransferError {
  return new TransferError(
    `${field.name} refers to ${target}, whose items have no unique field to name them by.`,
    'Export with --ids; such a file can be imported into this database, or into an empty one with --keep-ids.',
    {
      requestRemedy:
        'Export with ids=true; such a file can be imported into this database, or into an empty one with keepIds=true.',
    },
  );
}

/** References to items of a type that a policy hides: ids are all that there is to show. */
function hiddenColumn(field: FieldDescriptor, { ids }: ColumnContext): ExportColumn {
  if (!ids) {
    throw new TransferError(
      `${field.name} refers to items that you have no right to read, so that it cannot name them.`,
      'Export with --ids.',
      { requestRemedy: 'Export with ids=true.' },
    );
  }
  return idsColumn(field);
}

/** Ids only. */
function idsColumn(field: FieldDescriptor): ExportColumn {
  const many = isLinked(field);
  const to = `l.${linkColumnOf(field)}`;
  const expression = many
    ? `(SELECT json_agg(json_build_array(${to}::text, false) ORDER BY l.position)::text FROM ${quoteIdentifier(field.reference?.linkTable ?? '')} l WHERE l.item_id = t.id AND ${to} IS NOT NULL)`
    : `CASE WHEN t.${quoteIdentifier(field.column)} IS NOT NULL THEN json_build_array(t.${quoteIdentifier(field.column)}::text, false)::text END`;
  return { name: field.name, expression, join: '', kind: undefined, isList: many };
}

function keyJson(key: ReferenceKey, id: string, alias: string, type: ItemTypeDescriptor): string {
  const parts = key.parts.map((part, index) => partText(part, alias, index));
  return `json_build_array(${[`${id}::text`, isNear(key, alias, type), ...parts].join(', ')})`;
}

function partText({ field, reference }: KeyPart, alias: string, index: number): string {
  return reference === undefined
    ? `${alias}.${quoteIdentifier(field.column)}::text`
    : `${alias}k${index}.${quoteIdentifier(reference.field.column)}::text`;
}

/** Whether the item cannot be named, as its policy does not show it or {@link keyLacks}. */
function targetLacks(key: ReferenceKey, alias: string, type: ItemTypeDescriptor): string | undefined {
  const lacking = keyLacks(key, alias, type);
  if (!hidesItems(key.target)) return lacking;
  return `(${[`${alias}.id IS NULL`, ...(lacking === undefined ? [] : [lacking])].join(' OR ')})`;
}

/** Whether a part of the key that has to be written has no value; undefined where all parts are required fields. */
function keyLacks(key: ReferenceKey, alias: string, type: ItemTypeDescriptor): string | undefined {
  const [first, ...rest] = key.parts.map((part, index) =>
    mayLack(part) ? [`COALESCE(${partText(part, alias, index)}, '') = ''`] : [],
  );
  const others = rest.flat();
  const far = others.length === 0 ? [] : [`(NOT ${isNear(key, alias, type)} AND (${others.join(' OR ')}))`];
  const lacks = [...(first ?? []), ...far];
  return lacks.length === 0 ? undefined : `(${lacks.join(' OR ')})`;
}

function mayLack({ field, reference }: KeyPart): boolean {
  return (
    !field.required || reference?.field.required === false || (reference !== undefined && hidesItems(reference.target))
  );
}

/** Whether the item has the same values as its target in all parts of the key but the first. */
function isNear(key: ReferenceKey, alias: string, type: ItemTypeDescriptor): string {
  const [, ...rest] = key.parts;
  const same = rest.map(({ field, reference }) => {
    const own = type.fields.find(({ name }) => name === field.name);
    if (own === undefined || own.column === '' || own.shownOn !== undefined) return 'false';
    if (own.reference?.target !== reference?.target.code) return 'false';
    return `${alias}.${quoteIdentifier(field.column)} IS NOT DISTINCT FROM t.${quoteIdentifier(own.column)}`;
  });
  return same.length === 0 ? 'true' : `(${same.join(' AND ')})`;
}

function keyJoins(key: ReferenceKey, alias: string): string {
  return key.parts
    .map(({ field, reference }, index) =>
      reference === undefined
        ? ''
        : ` LEFT JOIN ${rowsOf(reference.target)} ${alias}k${index} ON ${alias}k${index}.id = ${alias}.${quoteIdentifier(field.column)}`,
    )
    .join('');
}
