import type { FieldView } from './field-view';

/** The views of the kinds, but for those that are not part of the first page's script. */
export const viewModules = import.meta.glob<FieldView>('./*/view.tsx', { eager: true, import: 'fieldView' });
