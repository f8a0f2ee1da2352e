import { Checkbox, Select, Stack } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { ChoiceBadge } from '../../choice-badge';
import { optionText } from '../../choice-text';
import { controlAttributes, textOf } from '../control-attributes';
import type { CellProps, ControlProps, FieldView, FilterProps, FilterTextProps, LockedProps } from '../field-view';
import { ChoiceFilter, PlainFilterText } from '../plain-views';

/** The view of fields with options, whatever their type. */
export const enumView: FieldView = {
  type: 'ENUM',
  Control: ChoiceControl,
  Locked: LockedChoice,
  Cell: ChoiceCell,
  Filter: OptionFilter,
  FilterText: OptionFilterText,
};

function ChoiceControl(props: ControlProps) {
  return props.field.multiple === true ? <SeveralChoices {...props} /> : <OneChoice {...props} />;
}

function OneChoice(props: ControlProps) {
  const { field, onChange } = props;
  const text = textOf(props);
  return (
    <Select
      {...controlAttributes(props)}
      data={withCurrent(field.options, text).map((value) => ({ value, label: optionText(field, value) }))}
      value={text === '' ? null : text}
      placeholder={field.placeholder === '' ? 'Choose …' : field.placeholder}
      clearable={!field.required}
      allowDeselect={false}
      clearButtonProps={{ size: 'md', 'aria-label': `Clear ${field.displayName}`, 'aria-hidden': false, tabIndex: 0 }}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

/** A stored value that is no option any more stays visible until another one is chosen. */
function withCurrent(options: readonly string[] = [], current: string): string[] {
  return current === '' || options.includes(current) ? [...options] : [current, ...options];
}

function SeveralChoices(props: ControlProps) {
  const { field, id, onChange } = props;
  const { id: _id, ...attributes } = controlAttributes(props);
  const chosen = listOf(textOf(props));
  const offered = [...(field.options ?? []), ...chosen.filter((value) => field.options?.includes(value) === false)];
  return (
    <Checkbox.Group
      {...attributes}
      value={[...chosen]}
      onChange={(values) => onChange(values.length === 0 ? '' : JSON.stringify(values))}
    >
      <Stack gap={6} mt={6}>
        {offered.map((value, index) => (
          <Checkbox key={value} value={value} label={optionText(field, value)} {...(index === 0 ? { id } : {})} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The options of the text of a JSON array. */
function listOf(text: string): readonly string[] {
  return text.startsWith('[') ? (JSON.parse(text) as readonly string[]) : [];
}

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
  return values.map((one) => <ChoiceBadge key={String(one)} value={String(one)} field={field} />);
}

function OptionFilter({ field, ...props }: FilterProps) {
  const choices = (field.options ?? []).map((value) => ({ value, label: optionText(field, value) }));
  return <ChoiceFilter {...props} choices={choices} />;
}

function OptionFilterText({ field, value }: FilterTextProps) {
  return <PlainFilterText value={field === undefined ? value : optionText(field, value)} />;
}
