import type { Reference } from '../../../api/items';
import { plainKind, type FieldKind } from '../field-kind';

/** Its payload is `product/5`; a form holds that as the id of a reference. */
export const fieldKind: FieldKind = {
  ...plainKind,
  isOnCards: true,
  formValue: linksIn,
  payloadValue(value, { multiple }) {
    const links = (value as readonly Reference[]).map(({ id }) => id);
    return multiple === true ? links : (links[0] ?? null);
  },
  operators: ['EQUALS'],
  isSortable: false,
  cellText: (value) =>
    linksIn(value)
      .map(({ label }) => label)
      .join(),
};

/** The links in a value of a row, or in one of the history, in order. Those to items of hidden types name no type. */
export function linksIn(value: unknown): readonly Reference[] {
  return [value ?? []].flat().map((entry: unknown) => {
    const { type, id, label } = Object(entry) as Readonly<Record<'type' | 'id', string>> & { label?: string | null };
    const link = typeof entry === 'string' ? entry : `${type}/${id}`;
    return { id: link, label: label ?? link };
  });
}
