import { TextField, type FieldProps } from '@gantry/ui';
import { slugOf } from './slug-of';

/** A line of text; while it is empty, a new item shows which slug it would get. */
export function SlugField({ id, field, value, error, sources = {}, onChange }: FieldProps) {
  const made = Object.values(sources)
    .map((source) => (typeof source === 'string' ? slugOf(source) : ''))
    .find((slug) => slug !== '');
  return (
    <TextField
      id={id}
      label={field.displayName}
      description={field.help}
      error={error}
      required={field.required}
      placeholder={made ?? field.placeholder}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
    />
  );
}
