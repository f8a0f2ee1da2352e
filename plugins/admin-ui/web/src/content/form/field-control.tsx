import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useContext } from 'react';
import type { Reference } from '../../api/items';
import { FieldSlot } from '../../plugin-ui/field-slot';
import { DrawerLevel } from '../reference/drawers';
import { ReferenceList } from '../reference/reference-list';
import { ReferenceSelect } from '../reference/reference-select';
import { targetType } from '../target-type';
import type { FormValue } from './form-values';
import { ImageControl } from './image-control';

export interface FieldControlProps {
  readonly field: FormField;
  readonly value: FormValue;
  readonly error: string | undefined;
  onChange(value: FormValue): void;
}

/** The id of a field's control in the page; forms in drawers have fields of the same names. */
export function controlId(field: Pick<FormField, 'name'>, level = 0): string {
  return level === 0 ? `field-${field.name}` : `field-${level}-${field.name}`;
}

/** The control of a field: one that a plugin brings, otherwise the built-in one. `type` is the item type's code. */
export function FieldControl({ type, ...props }: FieldControlProps & { readonly type: string }) {
  const id = controlId(props.field, useContext(DrawerLevel));
  return (
    <FieldSlot id={id} type={type} {...props}>
      <BuiltInControl id={id} {...props} />
    </FieldSlot>
  );
}

/** The control for a field's type (specification, section 4.5); an unknown type gets a text input. */
function BuiltInControl({ id, field, value, error, onChange }: FieldControlProps & { readonly id: string }) {
  const common = {
    id,
    label: field.displayName,
    description: field.help,
    error,
    withAsterisk: field.required,
    'aria-required': field.required,
  };
  const text = typeof value === 'string' ? value : '';
  if (field.options !== undefined) {
    return (
      <Select
        {...common}
        data={withCurrent(field.options, text)}
        value={text === '' ? null : text}
        placeholder={field.placeholder === '' ? 'Choose …' : field.placeholder}
        clearable={!field.required}
        allowDeselect={false}
        clearButtonProps={{ size: 'md', 'aria-label': `Clear ${field.displayName}`, 'aria-hidden': false, tabIndex: 0 }}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  const { withAsterisk: _asterisk, 'aria-required': _required, ...plain } = common;
  switch (field.type as string) {
    case 'TEXT':
      return (
        <Textarea
          {...common}
          placeholder={field.placeholder}
          dir="auto"
          autosize
          minRows={4}
          maxRows={20}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'NUMBER':
      return (
        <TextInput
          {...common}
          placeholder={field.placeholder}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'BOOLEAN':
      return (
        <Checkbox {...plain} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'REFERENCE':
      return <ReferenceControl id={id} field={field} value={value} error={error} onChange={onChange} />;
    case 'IMAGE':
      return (
        <ImageControl
          id={common.id}
          label={field.displayName}
          description={field.help}
          error={error}
          required={field.required}
          placeholder={field.placeholder}
          value={text}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          placeholder={field.placeholder}
          dir="auto"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function ReferenceControl({ id, field, value, error, onChange }: FieldControlProps & { readonly id: string }) {
  const target = targetType(field.reference);
  const chosen: readonly Reference[] = Array.isArray(value) ? (value as readonly Reference[]) : [];
  if (target === undefined) {
    return (
      <TextInput
        id={id}
        label={field.displayName}
        description={field.help}
        placeholder="This field refers to no type"
        error={error}
        disabled
      />
    );
  }
  if (field.referenceCardinality === 'MULTIPLE') {
    return (
      <ReferenceList
        label={field.displayName}
        id={id}
        field={field.name}
        target={target}
        chosen={chosen}
        required={field.required}
        placeholder={field.placeholder}
        error={error}
        description={field.help}
        onChange={onChange}
      />
    );
  }
  return (
    <ReferenceSelect
      label={field.displayName}
      visibleLabel
      id={id}
      field={field.name}
      target={target}
      chosen={chosen[0]}
      chosenText={chosen[0]?.label}
      required={field.required}
      placeholder={field.placeholder === '' ? 'Search …' : field.placeholder}
      error={error}
      description={field.help}
      onChoose={(reference) => onChange([reference])}
      onClear={field.required ? undefined : () => onChange([])}
    />
  );
}

/** A stored value that is no option any more stays visible until another one is chosen. */
function withCurrent(options: readonly string[], current: string): string[] {
  return current === '' || options.includes(current) ? [...options] : [current, ...options];
}
