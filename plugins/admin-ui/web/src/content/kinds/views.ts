import { enumView } from './enum/view';
import type { FieldView } from './field-view';
import { shippedViews } from './shipped-views';
import { stringView } from './string/view';

const byType: ReadonlyMap<string, FieldView> = new Map(shippedViews.map((view) => [view.type, view]));

/** The view of a field type, also in lower case as search fields have it; one that is unknown here is shown as text. */
export function viewOf(type: string): FieldView {
  return byType.get(type.toUpperCase()) ?? stringView;
}

/** The view of a field: that of choices where it has options, whatever its type. */
export function viewOfField({
  type,
  options,
}: {
  readonly type: string;
  readonly options?: readonly string[];
}): FieldView {
  return options === undefined ? viewOf(type) : enumView;
}
