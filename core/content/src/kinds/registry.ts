import { booleanType } from './boolean';
import { dateType } from './date';
import { dateTimeType } from './datetime';
import { enumType } from './enum';
import { createFieldTypes, type FieldTypes } from './field-type';
import { imageType } from './image';
import { linkType } from './link';
import { numberType } from './number';
import { referenceType } from './reference';
import { stringType } from './string';
import { textType } from './text';
import { timeType } from './time';

/** The field types of the platform, in the order in which clients see them. */
export const shippedFieldTypes: FieldTypes = createFieldTypes([
  stringType,
  textType,
  numberType,
  booleanType,
  referenceType,
  imageType,
  dateType,
  dateTimeType,
  timeType,
  enumType,
  linkType,
]);
