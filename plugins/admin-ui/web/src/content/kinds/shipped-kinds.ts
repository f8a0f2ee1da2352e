import { booleanKind } from './boolean';
import type { FieldKind } from './field-kind';
import { imageKind } from './image';
import { numberKind } from './number';
import { referenceKind } from './reference';
import { stringKind } from './string';
import { textKind } from './text';

export const shippedKinds: readonly FieldKind[] = [
  stringKind,
  textKind,
  numberKind,
  booleanKind,
  referenceKind,
  imageKind,
];
