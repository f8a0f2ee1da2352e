import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Item } from '../../../api/items';
import { Breadcrumb } from '../../../ui/page/breadcrumb';
import { LeftIcon, RightIcon } from '../../../ui/icons';
import { PageHeader } from '../../../ui/page/page';
import { PageStep } from '../../../ui/page/page-steps';
import { ChoiceBadge } from '../../choice-badge';
import { useMetadata } from '../../content-layout';
import { useLastList, useListPosition } from '../../last-list';

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
  const { code, displayName, displayNamePlural, singleton } = useMetadata();
  const list = useLastList(code);
  return (
    <PageHeader
      title={title}
      tabTitle={item === undefined || singleton === true ? title : `${title} · ${displayName}`}
      breadcrumb={
        singleton === true ? undefined : (
          <>
            <Breadcrumb links={[{ ...list, text: displayNamePlural }]} />
            <Neighbours id={item?.id} />
          </>
        )
      }
      status={item === undefined ? null : <States item={item} />}
      {...props}
    />
  );
}

/** The place in the list that the item was opened from, and the ways to the items beside it. */
function Neighbours({ id }: { readonly id: string | undefined }) {
  const { code } = useMetadata();
  const navigate = useNavigate();
  const position = useListPosition(code, id);
  if (position === undefined) return null;
  // Back leads to the list, however many items one has seen.
  const wayTo = (other: string | undefined) =>
    other === undefined ? undefined : () => void navigate(`/content/${code}/${other}`, { replace: true });
  return (
    <>
      {position.text === undefined ? null : <span>{position.text}</span>}
      <span role="group" aria-label="Items of the list" className="item-steps">
        <PageStep label="Previous item" open={wayTo(position.previous)}>
          <LeftIcon size={14} />
        </PageStep>
        <PageStep label="Next item" open={wayTo(position.next)}>
          <RightIcon size={14} />
        </PageStep>
      </span>
    </>
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
