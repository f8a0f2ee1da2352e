import { Fragment } from 'react';
import { useQuery } from '@tanstack/react-query';
import { itemLabel } from '../../../api/label';
import { itemQuery } from '../../../api/queries';
import type { CellProps, FieldView, FilterProps, FilterTextProps, LockedProps } from '../field-view';
import { PlainFilterText, PlainLocked } from '../plain-views';
import { linksIn } from '.';
import { CellLinks } from '../reference/view';
import { LinkControl, LinkPicker } from './control';
import { ItemOfLink, partsOf } from './item-of-link';

export const fieldView: FieldView = {
  Control: LinkControl,
  Locked: LockedLinks,
  Cell: LinkCell,
  Filter: LinkFilter,
  FilterText: LinkFilterText,
};

function LockedLinks({ field, value }: LockedProps) {
  const links = linksIn(value);
  if (links.length === 0) return <PlainLocked field={field} value={value} />;
  return links.map((link, index) => (
    <Fragment key={link.id}>
      {index === 0 ? '' : ', '}
      <ItemOfLink link={link} field={field.name} />
    </Fragment>
  ));
}

function LinkCell({ column, item }: CellProps) {
  const links = linksIn(item.values[column.name]).map(({ id, label }) => ({
    to: partsOf(id).type === '' ? undefined : `/content/${id}`,
    label,
  }));
  return <CellLinks links={links} />;
}

function LinkFilter({ label, field, value, onChange }: FilterProps) {
  const chosen = value === '' ? undefined : { id: value, label: value };
  return (
    <div className="search-value">
      <LinkPicker
        label={label}
        targets={field.linkTargets ?? []}
        chosen={chosen}
        onChoose={({ id }) => onChange(id)}
        onClear={() => onChange('')}
      />
    </div>
  );
}

/** A link reads as the label of its item. */
function LinkFilterText({ value }: FilterTextProps) {
  const { type, id } = partsOf(value);
  const item = useQuery({ ...itemQuery(type, id), enabled: id !== '' });
  return item.data === undefined ? <PlainFilterText value={value} /> : itemLabel(item.data);
}
