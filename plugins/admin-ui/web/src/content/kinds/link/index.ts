import { numberText } from '../../../api/json';
import type { Reference } from '../../../api/items';
import { plainKind, type FieldKind } from '../field-kind';

/** Its payload is `product/5`; a form holds that as the id of a reference. */
export const linkKind: FieldKind = {
  ...plainKind,
  type: 'LINK',
  isOnCards: true,
  formValue: linksIn,
  payloadValue(value, { multiple }) {
    if (!Array.isArray(value)) return null;
    const links = (value as readonly Reference[]).map(({ id }) => id);
    return multiple === true ? links : (links[0] ?? null);
  },
  operators: ['EQUALS'],
  isSortable: false,
  cellText: (value) =>
    linksIn(value)
      .map(({ label }) => label)
      .join(', '),
  importHint: () => 'No column is for it. Write the type and the id of what all items refer to, such as product/5.',
};

/** The links in a value of a row, or in one of the history, in order. Those to items of hidden types name no type. */
export function linksIn(value: unknown): readonly Reference[] {
  return [value ?? []].flat().flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [{ id: entry, label: entry }];
    if (typeof entry !== 'object' || entry === null) return [];
    const { type, id, label } = entry as Readonly<Record<string, unknown>>;
    const link = `${String(type)}/${numberText(id) ?? ''}`;
    return [{ id: link, label: typeof label === 'string' ? label : link.replace(/^\//, '') }];
  });
}

/** The type code and the id of `product/5`. */
export function partsOf(link: string): { readonly type: string; readonly id: string } {
  const [type = '', id = ''] = link.split('/');
  return { type, id };
}
