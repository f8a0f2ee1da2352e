import type { FormField } from '@gantry/contracts';
import { entriesView } from './entries-view';
import { enumView } from './enum/view';
import type { FieldView } from './field-view';
import { shippedViews } from './shipped-views';
import { stringView } from './string/view';
import { textView } from './text/view';

const byType: ReadonlyMap<string, FieldView> = new Map(shippedViews.map((view) => [view.type, view]));

/** The view of a field type, also in lower case as search fields have it; one that is unknown here is shown as text. */
export function viewOf(type: string): FieldView {
  return byType.get(type.toUpperCase()) ?? stringView;
}

/**
 * The view of a field: that of choices where it has options, whatever its type. What is an object or a list in the field kind of a
 * plugin is shown as the text of its JSON.
 */
export function viewOfField({
  type,
  options,
  valueType,
  fields,
}: Pick<FormField, 'valueType' | 'options' | 'fields'> & { readonly type: string }): FieldView {
  if (options !== undefined) return enumView;
  if (fields !== undefined) return entriesView;
  return valueType === 'object' || valueType === 'array' ? textView : viewOf(type);
}
