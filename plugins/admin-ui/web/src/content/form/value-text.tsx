import type { FormValue } from '../../api/items';

/** A value as text, where values are compared. */
export function ValueText({ value }: { readonly value: FormValue }) {
  const text = textOf(value);
  return (
    <span className="long-text" dir="auto">
      {text === '' ? '(empty)' : text.slice(0, 1000)}
    </span>
  );
}

function textOf(value: FormValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : value.map(({ label }) => label).join(', ');
}
