import { Select } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useContext } from 'react';
import { FieldSlot } from '../../plugin-ui/field-slot';
import { choiceText } from '../choice-text';
import { controlAttributes, textOf } from '../kinds/control-attributes';
import type { ControlProps } from '../kinds/field-view';
import { viewOf } from '../kinds/views';
import { DrawerLevel } from '../reference/drawers';

/** The id of a field's control in the page; forms in drawers have fields of the same names. */
export function controlId(field: Pick<FormField, 'name'>, level = 0): string {
  return level === 0 ? `field-${field.name}` : `field-${level}-${field.name}`;
}

/** The control of a field: one that a plugin brings, otherwise the built-in one. `type` is the item type's code. */
export function FieldControl({ type, ...props }: Omit<ControlProps, 'id'> & { readonly type: string }) {
  const id = controlId(props.field, useContext(DrawerLevel));
  return (
    <FieldSlot id={id} type={type} {...props}>
      <BuiltInControl id={id} {...props} />
    </FieldSlot>
  );
}

/** A choice where the field has options, else the control of the field's type (specification, section 4.5). */
function BuiltInControl(props: ControlProps) {
  if (props.field.options !== undefined) return <ChoiceControl {...props} options={props.field.options} />;
  const { Control } = viewOf(props.field.type);
  return <Control {...props} />;
}

function ChoiceControl({ options, ...props }: ControlProps & { readonly options: readonly string[] }) {
  const { field, onChange } = props;
  const text = textOf(props);
  return (
    <Select
      {...controlAttributes(props)}
      data={withCurrent(options, text).map((value) => ({ value, label: choiceText(value) }))}
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
function withCurrent(options: readonly string[], current: string): string[] {
  return current === '' || options.includes(current) ? [...options] : [current, ...options];
}
