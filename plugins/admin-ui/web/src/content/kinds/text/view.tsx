import { Textarea } from '@mantine/core';
import { textAttributes, typedDirection } from '../control-attributes';
import type { ControlProps, FieldView } from '../field-view';
import { PlainCell, PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';

export const textView: FieldView = {
  type: 'TEXT',
  Control: TextControl,
  Locked: PlainLocked,
  Cell: PlainCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function TextControl(props: ControlProps) {
  return <Textarea {...textAttributes(props)} {...typedDirection} autosize minRows={4} maxRows={20} />;
}
