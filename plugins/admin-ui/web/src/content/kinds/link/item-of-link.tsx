import type { Reference } from '../../../api/items';
import { ReferenceLink } from '../../reference/reference-link';
import { partsOf } from '.';

/** Leads to the item, unless its type is hidden from the reader. */
export function ItemOfLink({ link, field }: { readonly link: Reference; readonly field: string }) {
  const { type, id } = partsOf(link.id);
  return type === '' ? link.label : <ReferenceLink target={type} id={id} label={link.label} field={field} />;
}
