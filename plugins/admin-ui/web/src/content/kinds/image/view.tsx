import { itemLabel } from '../../../api/label';
import { Thumbnail } from '../../thumbnail';
import { textOf } from '../control-attributes';
import type { CellProps, ControlProps, FieldView, LockedProps } from '../field-view';
import { lazyControl } from '../lazy-control';
import { PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';
import type { ImageControlProps } from './later-control';

const ImageControl = lazyControl<ImageControlProps>(async () => (await import('./later-control')).ImageControl);

export const fieldView: FieldView = {
  Control: AddressControl,
  loader: ImageControl.loader,
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
