import { Textarea } from '@mantine/core';
import { textAttributes, typedDirection } from '../control-attributes';
import type { ControlProps, FieldView } from '../field-view';
import { PlainCell, PlainFilter, PlainFilterText, PlainLocked } from '../plain-views';

export const fieldView: FieldView = {
  Control: TextControl,
  Locked: PlainLocked,
  Cell: PlainCell,
  Filter: PlainFilter,
  FilterText: PlainFilterText,
};

function TextControl(props: ControlProps) {
  return <Textarea {...textAttributes(props)} {...typedDirection} {...growing()} />;
}

/** With its text, by style where the browser can: a script would lay out the whole form for each text. */
function growing() {
  return CSS.supports('field-sizing', 'content')
    ? { classNames: { input: 'growing-text' } }
    : { autosize: true, minRows: 6 };
}
