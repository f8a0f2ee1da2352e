import { TextInput } from '@mantine/core';
import { textAttributes, typedDirection } from '../control-attributes';
import type { ControlProps, FieldView } from '../field-view';
import { PlainCell, PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';

export const fieldView: FieldView = {
  Control: StringControl,
  Locked: PlainLocked,
  Cell: PlainCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function StringControl(props: ControlProps) {
  return <TextInput {...textAttributes(props)} {...typedDirection} />;
}
