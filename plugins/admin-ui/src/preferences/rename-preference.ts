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
  return { name: `list.${type}`, value: renameInList(value, renamed) };
}

function renameInList(value: Readonly<Record<string, unknown>>, { fields }: RenamedItemType): object {
  const names = new Map(fields.map(({ from, to }) => [from, to]));
  const nameOf = (field: string): string => names.get(field) ?? field;
  const { columns, widths, views } = value;
  return {
    ...value,
    ...(Array.isArray(columns) ? { columns: columns.map((column) => nameOf(String(column))) } : {}),
    ...(isJsonObject(widths)
      ? { widths: Object.fromEntries(Object.entries(widths).map(([column, width]) => [nameOf(column), width])) }
      : {}),
    ...(Array.isArray(views) ? { views: views.map((view) => renameInView(view, nameOf)) } : {}),
  };
}

function renameInView(view: unknown, nameOf: (field: string) => string): unknown {
  if (!isJsonObject(view) || typeof view['parameters'] !== 'string') return view;
  const renamed = new URLSearchParams();
  for (const [key, value] of new URLSearchParams(view['parameters'])) {
    renamed.append(key, renameInParameter(key, value, nameOf));
  }
  return { ...view, parameters: renamed.toString() };
}

/** As the address of a list has them: `f=name.CONTAINS.spade&sort=-price&columns=code,price`. */
function renameInParameter(key: string, value: string, nameOf: (field: string) => string): string {
  if (key === 'f') {
    const [field = '', ...rest] = value.split('.');
    return [nameOf(field), ...rest].join('.');
  }
  if (key === 'sort') return value.startsWith('-') ? `-${nameOf(value.slice(1))}` : nameOf(value);
  return key === 'columns' ? value.split(',').map(nameOf).join(',') : value;
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
