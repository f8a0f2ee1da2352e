import { literal, quoteIdentifier } from '../identifiers';
import type { ChangedField, ChangeSpec } from '../table-spec';

/** PostgreSQL takes at most 100 arguments, and so 50 members. */
const maxMembers = 50;

/** The declared values of an item by the names of the fields. */
export function valuesOf(
  row: string,
  { fields }: ChangeSpec,
  links: (row: string, field: ChangedField) => string,
): string {
  const members = fields.map((field) => {
    const value = field.linkTable === undefined ? `${row}.${quoteIdentifier(field.column)}` : links(row, field);
    return `${literal(field.name)}, ${value}`;
  });
  if (members.length === 0) return `'{}'::jsonb`;
  const objects: string[] = [];
  for (let first = 0; first < members.length; first += maxMembers) {
    objects.push(`jsonb_build_object(${members.slice(first, first + maxMembers).join(', ')})`);
  }
  return objects.join(' || ');
}

/** While a migration runs, columns may be missing that a name in the function would need. `row.*`, as a column may have the name of the row. */
export function migratedValues(row: string, { fields }: ChangeSpec): string {
  const names = fields
    .filter(({ linkTable }) => linkTable === undefined)
    .map(({ name, column }) => `(${literal(name)}, ${literal(column)})`);
  if (names.length === 0) return `'{}'::jsonb`;
  return (
    `(SELECT coalesce(jsonb_object_agg(f.name, to_jsonb(${row}.*) -> f.column), '{}') FROM (VALUES ${names.join(', ')}) AS f (name, "column")` +
    ` WHERE to_jsonb(${row}.*) ? f.column)`
  );
}

export function migratedChanges(spec: ChangeSpec): string {
  return (
    `(SELECT coalesce(jsonb_object_agg(b.key, b.value), '{}') FROM jsonb_each(${migratedValues('o', spec)}) b` +
    ` WHERE b.value IS DISTINCT FROM (${migratedValues('n', spec)}) -> b.key)`
  );
}

/** The earlier values of the fields that have changed. */
export function previousOf({ fields }: ChangeSpec): string {
  const changes = fields
    .filter(({ linkTable }) => linkTable === undefined)
    .map(({ name, column, isComparedAsText }) => {
      const quoted = quoteIdentifier(column);
      const text = isComparedAsText === true ? '::text' : '';
      const before = `${literal(`${JSON.stringify(name)}:`)} || coalesce(to_json(o.${quoted})::text, 'null')`;
      return `CASE WHEN o.${quoted}${text} IS DISTINCT FROM n.${quoted}${text} THEN ${before} END`;
    });
  if (changes.length === 0) return `'{}'::jsonb`;
  const texts: string[] = [];
  for (let first = 0; first < changes.length; first += maxMembers) {
    texts.push(`nullif(concat_ws(',', ${changes.slice(first, first + maxMembers).join(', ')}), '')`);
  }
  return `('{' || concat_ws(',', ${texts.join(', ')}) || '}')::jsonb`;
}

export function linkedIds(row: string, field: ChangedField): string {
  return (
    `coalesce((SELECT jsonb_agg(l.target_id ORDER BY l.position) FROM public.${quoteIdentifier(field.linkTable ?? '')} l` +
    ` WHERE l.item_id = ${row}.id), '[]'::jsonb)`
  );
}
