import { Skeleton } from '@mantine/core';
import { itemLabel } from '../../../api/label';
import { lazyPart } from '../../../ui/lazy-part';
import { Thumbnail } from '../../thumbnail';
import { textOf } from '../control-attributes';
import type { CellProps, ControlProps, FieldView, LockedProps } from '../field-view';
import { PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';
import type { ImageControlProps } from './image-control';

const ImageControl = lazyPart<ImageControlProps>(
  async () => (await import('./image-control')).ImageControl,
  () => true,
  () => <Skeleton height={58} />,
);

export const imageView: FieldView = {
  type: 'IMAGE',
  Control: AddressControl,
  prepare: ImageControl.prepare,
  Locked: LockedImage,
  Cell: ImageCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function AddressControl(props: ControlProps) {
  const { id, field, error, onChange } = props;
  return (
    <ImageControl
      id={id}
      label={field.displayName}
      description={field.help}
      error={error}
      required={field.required}
      placeholder={field.placeholder}
      value={textOf(props)}
      onChange={onChange}
    />
  );
}

function LockedImage({ field, value }: LockedProps) {
  if (typeof value !== 'string') return <PlainLocked field={field} value={value} />;
  return <Thumbnail value={value} label={field.displayName} size={96} />;
}

function ImageCell({ column, item }: CellProps) {
  return (
    <Thumbnail value={item.values[column.name]} label={`${column.displayName} of ${itemLabel(item).slice(0, 80)}`} />
  );
}
