import { booleanKind } from './boolean';
import { dateKind } from './date';
import { dateTimeKind } from './datetime';
import { enumKind } from './enum';
import type { FieldKind } from './field-kind';
import { imageKind } from './image';
import { linkKind } from './link';
import { numberKind } from './number';
import { referenceKind } from './reference';
import { stringKind } from './string';
import { textKind } from './text';
import { timeKind } from './time';

export const shippedKinds: readonly FieldKind[] = [
  stringKind,
  textKind,
  numberKind,
  booleanKind,
  referenceKind,
  imageKind,
  dateKind,
  dateTimeKind,
  timeKind,
  enumKind,
  linkKind,
];
