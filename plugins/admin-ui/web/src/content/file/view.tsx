import { PlainFilter, PlainFilterText, PlainLocked } from '../kinds/plain-views';
import { shortText } from '../../api/label';
import type { CellProps, FieldView, LockedProps } from '../kinds/field-view';
import { FileControl } from './file-control';
import { FileLink } from './file-link';
import { storedFile } from './stored-file';

export const fileView: FieldView = {
  Control: FileControl,
  Locked: LockedFile,
  Cell: FileCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function LockedFile({ field, value }: LockedProps) {
  const file = storedFile(value);
  return file === undefined ? <PlainLocked field={field} value={value} /> : <FileLink file={file} />;
}

function FileCell({ column, item }: CellProps) {
  const value = item.values[column.name];
  const file = storedFile(value);
  return file === undefined ? <span dir="auto">{shortText(value)}</span> : <FileLink file={file} />;
}
