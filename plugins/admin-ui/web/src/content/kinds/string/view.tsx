import { TextInput } from '@mantine/core';
import { controlAttributes, textOf } from '../control-attributes';
import type { ControlProps, FieldView } from '../field-view';
import { PlainCell, PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';

export const stringView: FieldView = {
  type: 'STRING',
  Control: StringControl,
  Locked: PlainLocked,
  Cell: PlainCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function StringControl(props: ControlProps) {
  return (
    <TextInput
      {...controlAttributes(props)}
      placeholder={props.field.placeholder}
      dir="auto"
      value={textOf(props)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
