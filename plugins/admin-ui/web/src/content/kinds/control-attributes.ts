import type { ChangeEvent } from 'react';
import type { ControlProps } from './field-view';

/** What the inputs of the library take, of a control that marks required fields. */
export function controlAttributes(props: Pick<ControlProps, 'id' | 'field' | 'error'>) {
  const { required } = props.field;
  return { ...plainAttributes(props), withAsterisk: required, 'aria-required': required };
}

export function plainAttributes({ id, field, error }: Pick<ControlProps, 'id' | 'field' | 'error'>) {
  return { id, label: field.displayName, description: field.help, error };
}

/** What the inputs of text take. */
export function textAttributes(props: ControlProps) {
  return {
    ...controlAttributes(props),
    placeholder: props.field.placeholder,
    value: textOf(props),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => props.onChange(event.currentTarget.value),
  };
}

/** The text that a control holds. */
export function textOf({ value }: Pick<ControlProps, 'value'>): string {
  return typeof value === 'string' ? value : '';
}
