import type { ReactNode } from 'react';
import type { Item } from '../../api/items';
import { Breadcrumb } from '../../ui/breadcrumb';
import { PageHeader } from '../../ui/page';
import { ChoiceBadge } from '../choice-badge';
import { useMetadata } from '../content-layout';
import { useLastList } from '../last-list';

export interface ItemHeadProps {
  readonly title: string;
  /** The item that is open; a new one has none. */
  readonly item?: Item;
  /** Below the title. */
  readonly description?: string | undefined;
  readonly actions: ReactNode;
}

/** The head of the page of an item: the way back to the list as it was left, the name of the item, and its states. */
export function ItemHead({ title, item, ...props }: ItemHeadProps) {
  const { code, displayName, displayNamePlural } = useMetadata();
  const list = useLastList(code);
  return (
    <PageHeader
      title={title}
      tabTitle={item === undefined ? title : `${title} · ${displayName}`}
      breadcrumb={<Breadcrumb links={[{ ...list, text: displayNamePlural }]} />}
      status={item === undefined ? null : <States item={item} />}
      {...props}
    />
  );
}

/** The values of the fields that are states: the type declares colours of their options. */
function States({ item }: { readonly item: Item }) {
  return useMetadata().fields.map((field) => {
    const value = item.values[field.name];
    const isState = field.optionColors !== undefined && typeof value === 'string' && value !== '';
    return isState ? <ChoiceBadge key={field.name} field={field} value={value} /> : null;
  });
}
