import { Textarea } from '@mantine/core';
import { controlAttributes, textOf } from '../control-attributes';
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
  return (
    <Textarea
      {...controlAttributes(props)}
      placeholder={props.field.placeholder}
      dir="auto"
      autosize
      minRows={4}
      maxRows={20}
      value={textOf(props)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
