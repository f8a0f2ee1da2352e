import { booleanView } from './boolean/view';
import { enumView } from './enum/view';
import type { FieldView } from './field-view';
import { imageView } from './image/view';
import { lazyView } from './lazy-view';
import { numberView } from './number/view';
import { referenceView } from './reference/view';
import { stringView } from './string/view';
import { textView } from './text/view';

const further = () => import('./further-views');

export const shippedViews: readonly FieldView[] = [
  stringView,
  textView,
  numberView,
  booleanView,
  referenceView,
  imageView,
  lazyView('DATE', async () => (await further()).dateView),
  lazyView('DATETIME', async () => (await further()).dateTimeView),
  lazyView('TIME', async () => (await further()).timeView),
  enumView,
  lazyView('LINK', async () => (await further()).linkView),
];
