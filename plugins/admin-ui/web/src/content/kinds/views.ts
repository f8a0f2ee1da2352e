import type { FormField } from '@gantry/contracts';
import { documentView, markdownView } from '../document/document-view';
import { fileView } from '../file/file-view';
import { focalPointView } from '../image/focal-point-view';
import { entriesView } from './entries-view';
import { fieldView as enumView } from './enum/view';
import type { FieldView } from './field-view';
import { jsonView } from '../json/json-view';
import { kindModules, typeIn } from './kind-modules';
import { lazyView } from './lazy-view';
import { fieldView as stringView } from './string/view';
import { viewModules } from './view-modules';

const byType: ReadonlyMap<string, FieldView> = new Map(
  Object.keys(kindModules).map((file) => [typeIn(file), viewIn(file.replace('index.ts', ''))]),
);

function viewIn(folder: string): FieldView {
  const later = async (): Promise<FieldView> =>
    (await import('./further-views')).laterViewModules[`${folder}later-view.tsx`] ?? stringView;
  return viewModules[`${folder}view.tsx`] ?? lazyView(later);
}

/** The view of a field type, also in lower case as search fields have it; one that is unknown here is shown as text. */
export function viewOf(type: string): FieldView {
  return byType.get(type.toUpperCase()) ?? stringView;
}

/**
 * The view of a field: that of choices where it has options, whatever its type. What is an object or a list in the field kind of a
 * plugin is shown as the text of its JSON, unless the metadata says what it consists of.
 */
export function viewOfField({
  type,
  options,
  valueType,
  fields,
  document,
  file,
  focalPoint,
  format,
}: Pick<FormField, 'valueType' | 'options' | 'fields' | 'document' | 'file' | 'focalPoint' | 'format'> & {
  readonly type: string;
}): FieldView {
  if (options !== undefined) return enumView;
  if (fields !== undefined) return entriesView;
  if (document !== undefined) return documentView;
  if (format !== undefined) return markdownView;
  if (file !== undefined) return fileView;
  if (focalPoint !== undefined) return focalPointView;
  return valueType === 'object' || valueType === 'array' ? jsonView : viewOf(type);
}
