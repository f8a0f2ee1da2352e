import type { FieldView } from './field-view';

/** The views that are not part of the first page's script. */
export const laterViewModules = import.meta.glob<FieldView>('./*/later-view.tsx', { eager: true, import: 'fieldView' });
