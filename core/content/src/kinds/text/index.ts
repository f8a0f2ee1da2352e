import { DataType } from 'sequelize-typescript';
import type { FieldKind } from '../field-kind';
import { numberText } from '@gantry/core-common';
import { textColumn, textKind } from '../text-kind';
import { plainFieldType } from '../plain-column';

/** TEXT: text of any length; a trigram index serves CONTAINS, no order index, whose entries are limited in size. */
export const longTextKind: FieldKind = {
  ...textKind('text', 'TEXT', () => 'lines'),
  index: 'trigram',
  isListed: false,
  modelType: () => DataType.TEXT,
  // As of a STRING.
  fromFileJson: (value) => numberText(value) ?? value,
  example: (field) => (field.required ? field.displayName : undefined),
};

export const fieldType = plainFieldType(
  {
    name: 'TEXT',
    options: ['maxLength', 'pattern', 'trim', 'format'],
    fitsDefault: (value) => typeof value === 'string',
  },
  textColumn(longTextKind, 1_000_000, () => 'TEXT'),
);
