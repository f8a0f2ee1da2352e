import type { FieldDescriptor } from './descriptor';

/** Whether the field refers to several items: its values are rows of a link table, and it has no column. */
export function isLinked({ reference }: Pick<FieldDescriptor, 'reference'>): boolean {
  return reference?.linkTable !== undefined;
}
