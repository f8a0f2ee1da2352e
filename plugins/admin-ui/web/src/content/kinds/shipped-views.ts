import { booleanView } from './boolean/view';
import type { FieldView } from './field-view';
import { imageView } from './image/view';
import { numberView } from './number/view';
import { referenceView } from './reference/view';
import { stringView } from './string/view';
import { textView } from './text/view';

export const shippedViews: readonly FieldView[] = [
  stringView,
  textView,
  numberView,
  booleanView,
  referenceView,
  imageView,
];
