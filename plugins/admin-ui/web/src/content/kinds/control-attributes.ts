import type { ChangeEvent } from 'react';
import type { ControlProps } from './field-view';

/** Attributes of the library's inputs, for a control that marks required fields. */
export function controlAttributes(props: Pick<ControlProps, 'id' | 'field' | 'error'>) {
  const { required } = props.field;
  return { ...plainAttributes(props), withAsterisk: required, 'aria-required': required };
}

export function plainAttributes({ id, field, error }: Pick<ControlProps, 'id' | 'field' | 'error'>) {
  return { id, label: field.displayName, description: field.help, error };
}

/** The direction of an input follows what is typed; as a property, `dir` would be that of the element around it. */
export const typedDirection = { attributes: { input: { dir: 'auto' } } } as const;

/** Attributes of text inputs. */
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
