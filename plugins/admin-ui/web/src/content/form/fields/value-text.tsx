import type { FormField } from '@gantry/contracts';
import type { FormValue } from '../../../api/items';
import { documentText } from '../../../api/platform/document';
import { storedFile } from '../../file/stored-file';

/** A value as text, where values are compared. */
export function ValueText({ field, value }: { readonly field: FormField; readonly value: FormValue }) {
  const text =
    (field.file && storedFile(value)?.name) ?? (field.document === undefined ? textOf(value) : documentText(value));
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
