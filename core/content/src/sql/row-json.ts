import { literal, quoteIdentifier } from '@gantry/core-database';
import {
  type FieldDescriptor,
  type FunctionField,
  type ItemTypeDescriptor,
  hidesItems,
  isLinked,
  isMadeByFunction,
} from '../compile/descriptor';
import { shownAuthorFields } from '../compile/author-fields';
import { rowsOf } from './rows';

/** Finds the target of a reference; undefined where it is hidden, so that its labels are not shown. */
export type FindType = (code: string) => ItemTypeDescriptor | undefined;

/** SQL that presents items of a type, aliased `t`, as JSON text. */
export interface Presentation {
  /** Text expression over `t` and the joined tables. */
  readonly expression: string;
  /** LEFT JOINs for the targets of SINGLE references. */
  readonly joins: string;
}

/**
 * The row of an item: `{ "id", "values": { fields…, createdAt, updatedAt, version, createdBy, updatedBy } }`; the last two where there are such.
 * The text is concatenated from the columns' JSON, which takes PostgreSQL about half the time of json_build_object.
 */
export function presentRow(type: ItemTypeDescriptor, findType: FindType): Presentation {
  const { fields } = type;
  const members = fields.map((field, position) => {
    const value = isMadeByFunction(field)
      ? sourcesJson(type, field, position, findType)
      : fieldJson(field, position, findType);
    const shown = `${member(field.name, value)} || ','`;
    return field.shownOn === undefined ? shown : `(CASE WHEN ${field.shownOn} THEN ${shown} ELSE '' END)`;
  });
  const audit = [
    member('createdAt', timestampJson('t.created_at')),
    member('updatedAt', timestampJson('t.updated_at')),
    member('version', 't.version'),
  ];
  return {
    expression: `'{"id":' || t.id || ',"values":{' || ${[...members, audit.join(` || ',' || `), ...shownAuthorFields(type).map(authorJson)].join(' || ')} || '}}'`,
    joins: fields.map((field, position) => targetJoin(field, position, findType)).join(''),
  };
}

/**
 * Before and after what a function needs to make a value: the JSON of the position of its field and of the values that it is made
 * from. JSON text cannot have the character: within strings it is escaped.
 */
export const unmadeValue = '\u0001';

/** Users have ids as text. */
function authorJson({ name, column }: FieldDescriptor): string {
  const id = `t.${quoteIdentifier(column)}`;
  return `(CASE WHEN ${id} IS NULL THEN '' ELSE ',"${name}":"' || ${id} || '"' END)`;
}

/** A search result by field names (specification, section 2): id, label, subLabel. */
export function presentSearchResult(type: ItemTypeDescriptor, findType: FindType): Presentation {
  const mapping = typeof type.searchResult === 'function' ? {} : type.searchResult;
  const chosen = [mapping.label, mapping.subLabel].map((name) =>
    type.fields.find((field) => field.name === name && field.shownOn === undefined),
  );
  const [label, subLabel] = chosen;
  const labelJson = label === undefined ? literal(JSON.stringify(type.className)) : textJson(label, 0, findType);
  const subLabelJson = subLabel === undefined ? timestampJson('t.created_at') : textJson(subLabel, 1, findType);
  return {
    expression: `'{"id":' || t.id || ',"label":' || ${labelJson} || ',"subLabel":' || ${subLabelJson} || '}'`,
    joins: chosen.map((field, position) => (field === undefined ? '' : targetJoin(field, position, findType))).join(''),
  };
}

/** The picker label of a target (specification 4.5), as SQL text. */
export function labelText(type: ItemTypeDescriptor, alias: string): string {
  const candidates = type.labelFields.flatMap((name) => {
    const field = type.fields.find((candidate) => candidate.name === name);
    return field === undefined ? [] : [`nullif(${alias}.${quoteIdentifier(field.column)}::text, '')`];
  });
  return `coalesce(${[...candidates, `${alias}.id::text`].join(', ')})`;
}

function member(name: string, json: string): string {
  return `${literal(`${JSON.stringify(name)}:`)} || ${json}`;
}

function fieldJson(field: FieldDescriptor, position: number, findType: FindType): string {
  if (isLinked(field)) return linkedJson(field, findType);
  if (field.kind.links?.rows !== undefined) return linksJson(field, field.kind.links.rows, findType);
  if (field.reference !== undefined) {
    const target = findType(field.reference.target);
    const shown =
      target === undefined
        ? unlabelledJson(`t.${quoteIdentifier(field.column)}`)
        : shownReferenceJson(target, `r${position}`, `t.${quoteIdentifier(field.column)}`);
    return `coalesce(${shown}, 'null')`;
  }
  return `coalesce(${field.kind.json(`t.${quoteIdentifier(field.column)}`)}, 'null')`;
}

/** The fields that a computed value is made from are shown on all items that show the value. */
function sourcesJson(
  { fields }: ItemTypeDescriptor,
  { computed }: FunctionField,
  position: number,
  findType: FindType,
): string {
  const members = fields.flatMap((source, index) =>
    computed.from.includes(source.name) ? [member(source.name, fieldJson(source, index, findType))] : [],
  );
  return [
    'chr(1)',
    `'[${position},{'`,
    ...(members.length === 0 ? [] : [members.join(` || ',' || `)]),
    `'}]'`,
    'chr(1)',
  ].join(' || ');
}

function referenceJson(target: ItemTypeDescriptor, alias: string): string {
  return `'{"id":' || ${alias}.id || ',"label":' || to_json(${labelText(target, alias)})::text || '}'`;
}

/** Of an item that the policy does not show, the id. */
function shownReferenceJson(target: ItemTypeDescriptor, alias: string, id: string): string {
  const shown = referenceJson(target, alias);
  return hidesItems(target) ? `coalesce(${shown}, ${unlabelledJson(id)})` : shown;
}

function unlabelledJson(id: string): string {
  return `'{"id":' || ${id} || ',"label":null}'`;
}

function linkedJson(field: FieldDescriptor, findType: FindType): string {
  const target = findType(field.reference?.target ?? '');
  const shown = target === undefined ? unlabelledJson('l.target_id') : shownReferenceJson(target, 'x', 'l.target_id');
  const join = target === undefined ? '' : ` ${joinOf(target)} ${rowsOf(target)} x ON x.id = l.target_id`;
  return (
    `(SELECT coalesce('[' || string_agg(${shown}, ',' ORDER BY l.position) || ']', '[]')` +
    ` FROM ${quoteIdentifier(field.reference?.linkTable ?? '')} l${join} WHERE l.item_id = t.id)`
  );
}

/** Items of several types, as the column has them: a trigger fills the table of links only after the row is shown. Names of hidden types are left out. */
function linksJson({ column, links }: FieldDescriptor, rows: 'one' | 'list', findType: FindType): string {
  const targets = (links?.targets ?? []).flatMap(({ target, earlierCodes, isHidden }, index) => {
    const type = isHidden === true ? undefined : findType(target);
    if (type === undefined) return [];
    const isOfIt = `l.link ->> 'type' IN (${[target, ...earlierCodes].map(literal).join(', ')})`;
    const label = `coalesce(to_json(${labelText(type, `x${index}`)})::text, 'null')`;
    return {
      shown: `WHEN ${isOfIt} THEN ${linkJson(target, label)}`,
      join: ` LEFT JOIN ${rowsOf(type)} x${index} ON ${isOfIt} AND x${index}.id = (l.link ->> 'id')::bigint`,
    };
  });
  const one = `CASE ${targets.map(({ shown }) => shown).join(' ')} ELSE ${linkJson('', `'null'`)} END`;
  const shown = targets.length === 0 ? linkJson('', `'null'`) : one;
  const all = `string_agg(${shown}, ',' ORDER BY l.position)`;
  const text = rows === 'one' ? `coalesce(${all}, 'null')` : `coalesce('[' || ${all} || ']', '[]')`;
  const joins = targets.map(({ join }) => join).join('');
  return `(SELECT ${text} FROM jsonb_array_elements(t.${quoteIdentifier(column)}) WITH ORDINALITY AS l(link, position)${joins})`;
}

function linkJson(code: string, label: string): string {
  const type = literal(`{"type":${JSON.stringify(code)},"id":`);
  return `${type} || (l.link ->> 'id') || ',"label":' || ${label} || '}'`;
}

/** Items that the policy does not show are still listed, by their ids. */
function joinOf(type: ItemTypeDescriptor): string {
  return hidesItems(type) ? 'LEFT JOIN' : 'JOIN';
}

function targetJoin(field: FieldDescriptor, position: number, findType: FindType): string {
  if (field.reference === undefined || isLinked(field)) return '';
  const target = findType(field.reference.target);
  if (target === undefined) return '';
  return ` LEFT JOIN ${rowsOf(target)} r${position} ON r${position}.id = t.${quoteIdentifier(field.column)}`;
}

function textJson(field: FieldDescriptor, position: number, findType: FindType): string {
  return `to_json(${plainText(field, position, findType)})::text`;
}

function plainText(field: FieldDescriptor, position: number, findType: FindType): string {
  if (isLinked(field)) return `''::text`;
  if (field.reference !== undefined) {
    const target = findType(field.reference.target);
    return target === undefined ? `''::text` : `coalesce(${labelText(target, `r${position}`)}, '')`;
  }
  return `coalesce(t.${quoteIdentifier(field.column)}::text, '')`;
}

/** ISO 8601 in UTC: the connections of the platform run with TimeZone UTC. */
export function timestampJson(column: string): string {
  return `to_json(${column})::text`;
}
