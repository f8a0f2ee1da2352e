import { TextInput } from '@mantine/core';
import { shortText } from '../../../api/label';
import { textAttributes, textOf } from '../control-attributes';
import type { CellProps, ControlProps, FieldView, FilterProps, LockedProps } from '../field-view';
import { LockedText, PlainFilterText, TextFilter } from '../plain-views';
import { localNumber, plainNumber, shownNumber } from './digits';

export const fieldView: FieldView = {
  Control: NumberControl,
  Locked: LockedNumber,
  Cell: NumberCell,
  Filter: NumberFilter,
  FilterText: PlainFilterText,
};

function NumberControl(props: ControlProps) {
  return (
    <TextInput
      {...textAttributes(props)}
      error={commaHint(textOf(props)) ?? props.error}
      inputMode="decimal"
      autoComplete="off"
    />
  );
}

/** A comma is the decimal separator for some and separates thousands for others: neither is guessed. */
function commaHint(text: string): string | undefined {
  return text.includes(',') ? 'Use a point as decimal separator: 1234.5' : undefined;
}

function LockedNumber({ field, value }: LockedProps) {
  return <LockedText text={plainNumber(shortText(value), field)} />;
}

function NumberCell({ column, item }: CellProps) {
  return localNumber(shownNumber(shortText(item.values[column.name]), column.fraction));
}

function NumberFilter(props: FilterProps) {
  return <TextFilter {...props} inputMode="decimal" />;
}
