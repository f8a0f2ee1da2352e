import { shortText } from '../../../api/label';
import { longDay, shortDay } from '../day-text';
import type { CellProps, ControlProps, FieldView, FilterProps, FilterTextProps, LockedProps } from '../field-view';
import { LockedText, PlainFilterText } from '../plain-views';
import { dayPicker, TypedControl, TypedFilter, type TypedForm } from '../typed-value';

export const fieldView: FieldView = {
  Control: DateControl,
  Locked: LockedDate,
  Cell: DateCell,
  Filter: DateFilter,
  FilterText: DateFilterText,
};

/** The typed text is stored as it is: no time zone and no order of day and month can change it. */
const form: TypedForm = {
  placeholder: 'YYYY-MM-DD',
  typed: (value) => value,
  stored: (text) => text.trim(),
  explain: (value) => longDay(value),
  picker: dayPicker,
};

function DateControl(props: ControlProps) {
  return <TypedControl {...props} form={form} />;
}

function LockedDate({ value }: LockedProps) {
  return <LockedText text={shortDay(shortText(value))} />;
}

function DateCell({ column, item }: CellProps) {
  const text = shortText(item.values[column.name]);
  return (
    <time dateTime={text} title={longDay(text)}>
      {shortDay(text)}
    </time>
  );
}

function DateFilter(props: FilterProps) {
  return <TypedFilter {...props} form={{ ...form, placeholder: 'YYYY-MM-DD or -7d' }} />;
}

function DateFilterText({ value }: FilterTextProps) {
  return <PlainFilterText value={shortDay(value)} />;
}
