import type { RenamedItemType } from '@gantry/plugin-api';

/** A preference of the admin pages: `favourites`, or `list.` and a type code. */
export interface NamedPreference {
  readonly name: string;
  readonly value: unknown;
}

/** Gives favourites, columns, widths and saved views the names of today. What has another shape stays as it is. */
export function renamePreference({ name, value }: NamedPreference, renamed: RenamedItemType): NamedPreference {
  const { type, earlierType = type } = renamed;
  if (!isJsonObject(value)) return { name, value };
  if (name === 'favourites') {
    const { types } = value;
    const renameCode = (one: unknown): unknown => (one === earlierType ? type : one);
    return { name, value: Array.isArray(types) ? { ...value, types: [...new Set(types.map(renameCode))] } : value };
  }
  if (name !== `list.${earlierType}`) return { name, value };
  const names = new Map(renamed.fields.map(({ from, to }) => [from, to]));
  return { name: `list.${type}`, value: renameInList(value, (field) => names.get(field) ?? field) };
}

/** Takes fields out of what is stored of a list. */
export function withoutFields(value: unknown, fields: readonly string[]): unknown {
  return isJsonObject(value) ? renameInList(value, (field) => (fields.includes(field) ? undefined : field)) : value;
}

/** The name of today; undefined for a field that is gone. */
type NameOf = (field: string) => string | undefined;

function renameInList(value: Readonly<Record<string, unknown>>, nameOf: NameOf): object {
  const { columns, widths, views } = value;
  return {
    ...value,
    ...(Array.isArray(columns) ? { columns: columns.flatMap((column) => nameOf(String(column)) ?? []) } : {}),
    ...(isJsonObject(widths)
      ? {
          widths: Object.fromEntries(
            Object.entries(widths).flatMap(([column, width]) => entryOf(nameOf(column), width)),
          ),
        }
      : {}),
    ...(Array.isArray(views) ? { views: views.map((view) => renameInView(view, nameOf)) } : {}),
  };
}

function entryOf(name: string | undefined, width: unknown): readonly (readonly [string, unknown])[] {
  return name === undefined ? [] : [[name, width]];
}

function renameInView(view: unknown, nameOf: NameOf): unknown {
  if (!isJsonObject(view) || typeof view['parameters'] !== 'string') return view;
  const renamed = new URLSearchParams();
  for (const [key, value] of new URLSearchParams(view['parameters'])) {
    const now = renameInParameter(key, value, nameOf);
    if (now !== undefined) renamed.append(key, now);
  }
  return { ...view, parameters: renamed.toString() };
}

/** As the address of a list has them: `f=name.CONTAINS.spade&sort=-price&columns=code,price`. */
function renameInParameter(key: string, value: string, nameOf: NameOf): string | undefined {
  if (key === 'f') {
    const [field = '', ...rest] = value.split('.');
    const name = nameOf(field);
    return name && [name, ...rest].join('.');
  }
  if (key === 'sort') {
    const [sign, field] = value.startsWith('-') ? ['-', value.slice(1)] : ['', value];
    const name = nameOf(field);
    return name && sign + name;
  }
  if (key !== 'columns') return value;
  return (
    value
      .split(',')
      .flatMap((name) => nameOf(name) ?? [])
      .join(',') || undefined
  );
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
