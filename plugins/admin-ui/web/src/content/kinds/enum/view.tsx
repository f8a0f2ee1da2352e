import type { FormField } from '@gantry/contracts';
import { Fragment } from 'react';
import { ChoiceBadge } from '../../choice-badge';
import { optionText } from '../../choice-text';
import type { CellProps, FieldView, FilterProps, FilterTextProps, LockedProps } from '../field-view';
import { lazyControl } from '../lazy-control';
import { ChoiceFilter, PlainFilterText } from '../plain-views';

const Control = lazyControl(async () => (await import('./later-control')).ChoiceControl);

/** The view of fields with options, whatever their type. */
export const fieldView: FieldView = {
  Control,
  loader: Control.loader,
  Locked: LockedChoice,
  Cell: ChoiceCell,
  Filter: OptionFilter,
  FilterText: OptionFilterText,
};

function LockedChoice({ field, value }: LockedProps) {
  return <Badges field={field} value={value} />;
}

function ChoiceCell({ column, item, metadata }: CellProps) {
  const field = metadata.fields.find(({ name }) => name === column.name) ?? {};
  return <Badges field={field} value={item.values[column.name]} />;
}

function Badges({
  field,
  value,
}: {
  readonly field: Pick<FormField, 'optionColors' | 'optionLabels'>;
  readonly value: unknown;
}) {
  const values = [value].flat().filter((one) => typeof one === 'string' && one !== '');
  if (values.length === 0) return '—';
  return values.map((one, index) => (
    <Fragment key={String(one)}>
      {index > 0 && field.optionColors === undefined ? ', ' : null}
      <ChoiceBadge value={String(one)} field={field} />
    </Fragment>
  ));
}

function OptionFilter({ field, ...props }: FilterProps) {
  const choices = (field.options ?? []).map((value) => ({ value, label: optionText(field, value) }));
  return <ChoiceFilter {...props} choices={choices} />;
}

function OptionFilterText({ field, value }: FilterTextProps) {
  return <PlainFilterText value={field === undefined ? value : optionText(field, value)} />;
}
