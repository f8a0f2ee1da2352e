import { Checkbox } from '@mantine/core';
import { CheckIcon, CloseIcon } from '../../../ui/icons';
import { shortText } from '../../../api/label';
import { plainAttributes } from '../control-attributes';
import type { CellProps, ControlProps, FieldView, FilterProps, FilterTextProps } from '../field-view';
import { ChoiceFilter, PlainFilterText, PlainLocked } from '../plain-views';

export const fieldView: FieldView = {
  Control: BooleanControl,
  Locked: PlainLocked,
  Cell: BooleanCell,
  Filter: BooleanFilter,
  FilterText: BooleanFilterText,
};

const choices = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function BooleanControl(props: ControlProps) {
  return (
    <Checkbox
      {...plainAttributes(props)}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

function BooleanCell({ column, item }: CellProps) {
  const value = item.values[column.name];
  if (typeof value !== 'boolean') return shortText(value);
  const [Icon, label] = value ? ([CheckIcon, 'Yes'] as const) : ([CloseIcon, 'No'] as const);
  return <Icon aria-hidden={false} role="img" aria-label={label} className={value ? undefined : 'no-value'} />;
}

function BooleanFilter({ field: _field, ...props }: FilterProps) {
  return <ChoiceFilter {...props} choices={choices} />;
}

function BooleanFilterText({ value }: FilterTextProps) {
  return choices.find((choice) => choice.value === value)?.label ?? <PlainFilterText value={value} />;
}
