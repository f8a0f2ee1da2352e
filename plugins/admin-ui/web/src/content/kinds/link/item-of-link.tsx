import type { Reference } from '../../../api/items';
import { ReferenceLink } from '../../reference/reference-link';

/** Leads to the item, unless its type is hidden from the reader. */
export function ItemOfLink({ link, field }: { readonly link: Reference; readonly field: string }) {
  const { type, id } = partsOf(link.id);
  return type === '' ? link.label : <ReferenceLink target={type} id={id} label={link.label} field={field} />;
}

/** The type code and the id of `product/5`. */
export function partsOf(link: string): { readonly type: string; readonly id: string } {
  const [type = '', id = ''] = link.split('/');
  return { type, id };
}
