import { defineUi } from '@gantry/ui';
import { ColorCell } from './color-cell';
import { KeyValueField } from './key-value-field';
import { MoneyCell, MoneyField } from './money-field';
import { RepeatableCell } from './repeatable-cell';
import { RepeatableField } from './repeatable-field';
import { SlugField } from './slug-field';

export default defineUi(() => ({
  fields: {
    'field-kinds.KeyValue': KeyValueField,
    'field-kinds.Money': MoneyField,
    'field-kinds.Repeatable': RepeatableField,
    'field-kinds.Slug': SlugField,
  },
  cells: {
    'field-kinds.Color': ColorCell,
    'field-kinds.Money': MoneyCell,
    'field-kinds.Repeatable': RepeatableCell,
  },
}));
