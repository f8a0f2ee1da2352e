import { Checkbox, Select, Text, Textarea, TextInput } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import type { Reference } from '../../api/items';
import { FieldSlot } from '../../plugin-ui/field-slot';
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

/** The id of a field's control in the page. */
export function controlId(field: FormField): string {
  return `field-${field.name}`;
}

/** The control of a field: one that a plugin brings, otherwise the built-in one. `type` is the item type's code. */
export function FieldControl({ type, ...props }: FieldControlProps & { readonly type: string }) {
  return (
    <FieldSlot id={controlId(props.field)} type={type} {...props}>
      <BuiltInControl {...props} />
    </FieldSlot>
  );
}

/** The control for a field's type (specification, section 4.5); an unknown type gets a text input. */
function BuiltInControl({ field, value, error, onChange }: FieldControlProps) {
  const common = {
    id: controlId(field),
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
      return <ReferenceControl field={field} value={value} error={error} onChange={onChange} />;
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

function ReferenceControl({ field, value, error, onChange }: FieldControlProps) {
  const target = targetType(field.reference);
  const chosen: readonly Reference[] = Array.isArray(value) ? (value as readonly Reference[]) : [];
  if (target === undefined) {
    return <Text size="sm">{field.displayName}: the declaration of this field names no type that it refers to.</Text>;
  }
  if (field.referenceCardinality === 'MULTIPLE') {
    return (
      <ReferenceList
        label={field.displayName}
        id={controlId(field)}
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
      id={controlId(field)}
      target={target}
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
