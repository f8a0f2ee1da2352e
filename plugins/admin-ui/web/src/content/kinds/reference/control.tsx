import { TextInput } from '@mantine/core';
import type { Reference } from '../../../api/items';
import { ReferenceList } from '../../reference/reference-list';
import { ReferenceSelect } from '../../reference/reference-select';
import { targetType } from '../../target-type';
import type { ControlProps } from '../field-view';

export function ReferenceControl({ id, field, value, error, onChange }: ControlProps) {
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
