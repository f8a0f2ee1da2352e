import { defineUi } from '@gantry/ui';
import { RepeatableCell } from './repeatable-cell';
import { RepeatableField } from './repeatable-field';

export default defineUi(() => ({
  fields: { 'field-kinds.Repeatable': RepeatableField },
  cells: { 'field-kinds.Repeatable': RepeatableCell },
}));
