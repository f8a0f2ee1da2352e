import { defineUi } from '@gantry/ui';
import { RepeatableCell } from './repeatable-cell';
import { RepeatableField } from './repeatable-field';
import { SlugField } from './slug-field';

export default defineUi(() => ({
  fields: { 'field-kinds.Repeatable': RepeatableField, 'field-kinds.Slug': SlugField },
  cells: { 'field-kinds.Repeatable': RepeatableCell },
}));
