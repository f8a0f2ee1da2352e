import { Checkbox, Select, Stack } from '@mantine/core';
import { optionText } from '../../choice-text';
import { controlAttributes, textOf } from '../control-attributes';
import type { ControlProps } from '../field-view';

/** One of the options, or several of them. */
export function ChoiceControl(props: ControlProps) {
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
