import { shortText } from '../../../api/label';
import type { CellProps, ControlProps, FieldView, FilterProps, LockedProps } from '../field-view';
import { LockedText, PlainFilterText } from '../plain-views';
import { TypedControl, TypedFilter, type TypedForm } from '../typed-value';
import { fieldKind } from '.';

export const fieldView: FieldView = {
  Control: TimeControl,
  Locked: LockedTime,
  Cell: TimeCell,
  Filter: TimeFilter,
  FilterText: PlainFilterText,
};

const form: TypedForm = {
  placeholder: 'HH:MM',
  typed: (value) => value,
  stored: (text) => text.trim().replace(/^(\d:\d\d)/, '0$1'),
  explain: () => undefined,
};

function TimeControl(props: ControlProps) {
  return <TypedControl {...props} form={form} />;
}

function shownText(value: unknown): string {
  return shortText(fieldKind.formValue(value));
}

function LockedTime({ value }: LockedProps) {
  return <LockedText text={shownText(value)} />;
}

function TimeCell({ column, item }: CellProps) {
  return <span className="tabular">{shownText(item.values[column.name])}</span>;
}

function TimeFilter(props: FilterProps) {
  return <TypedFilter {...props} form={form} />;
}
