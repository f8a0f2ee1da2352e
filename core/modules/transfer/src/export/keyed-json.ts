import { exactJson, parseWrittenJson } from '@gantry/core-common';
import { isOf } from '@gantry/core-content';
import { withoutKey, type ExportColumn, type ExportedReference } from './export-column';

/** The JSON of a value, with keys in the place of ids. */
export function keyedJson(
  text: string,
  { kind, links }: ExportColumn,
  jsonOf: (reference: ExportedReference, column: ExportColumn) => string,
): string {
  const [value, ...lists] = JSON.parse(text) as readonly [string, ...(readonly ExportedReference[] | null)[]];
  const json = kind?.toFileJson(value) ?? 'null';
  if (links === undefined || lists.every((list) => list === null)) return json;
  const { field, columns } = links;
  const keyed = field.kind.links?.map(parseWrittenJson(json), (link) => {
    const index = field.links?.targets.findIndex((target) => isOf(target, link.type)) ?? -1;
    const reference = lists[index]?.find(([id]) => id === link.id);
    const column = columns[index];
    if (reference === undefined || column === undefined) return link;
    if (column.key === undefined) throw withoutKey(field, field.links?.targets[index]?.target ?? link.type);
    return { type: link.type, key: JSON.parse(jsonOf(reference, column)) as unknown };
  });
  return exactJson(keyed);
}
