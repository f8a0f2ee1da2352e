import { Checkbox, Input, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { CheckboxFieldProps, FieldFrameProps, InputProps, SelectFieldProps, TextFieldProps } from '@gantry/ui';

export function TextField({ value, onChange, placeholder, kind = 'text', ...props }: TextFieldProps) {
  const common = {
    ...attributes(props),
    placeholder,
    value,
    dir: 'auto',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  } as const;
  if (kind === 'lines') return <Textarea {...common} autosize minRows={3} maxRows={20} />;
  return (
    <TextInput
      {...common}
      type={kind === 'search' ? 'search' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
    />
  );
}

export function SelectField({ value, onChange, options, ...props }: SelectFieldProps) {
  return (
    <NativeSelect
      {...attributes(props)}
      data={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function CheckboxField({ checked, onChange, label, id, description, error, disabled }: CheckboxFieldProps) {
  return (
    <Checkbox
      label={label}
      id={id}
      description={description}
      error={error}
      disabled={disabled}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function FieldFrame({
  id,
  label,
  description,
  error,
  required = false,
  group = false,
  children,
}: FieldFrameProps) {
  const labelId = `${id}-label`;
  const describedBy = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(description === undefined ? [] : [`${id}-description`]),
  ].join(' ');
  const described = describedBy === '' ? undefined : describedBy;
  return (
    <Input.Wrapper
      label={label}
      labelElement={group ? 'div' : 'label'}
      labelProps={{ id: labelId, ...(group ? {} : { htmlFor: id }) }}
      description={description}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
      withAsterisk={required}
      {...(group ? { role: 'group', 'aria-labelledby': labelId, 'aria-describedby': described } : {})}
    >
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error !== undefined,
        'aria-required': required,
      })}
    </Input.Wrapper>
  );
}

function attributes({ label, id, description, error, required, disabled }: InputProps) {
  return { label, id, description, error, disabled, withAsterisk: required, 'aria-required': required };
}
