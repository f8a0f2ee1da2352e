import type { FieldKind } from '../field-kind';
import { numberText } from '@gantry/core-common';
import { textColumn, textKind } from '../text-kind';
import { plainFieldType } from '../plain-column';

/** STRING: one line of text. */
export const stringKind: FieldKind = {
  ...textKind('string', 'STRING', (field) => (field.trim === true ? 'key' : 'line')),
  index: 'trigram',
  // Programs that guess types write a title such as 1984 as a number; nothing is lost when it is taken as the text it was.
  fromFileJson: (value) => numberText(value) ?? value,
  example: (field) => field.placeholder || (field.required ? field.displayName.slice(0, field.maxLength) : undefined),
};

export const fieldType = plainFieldType(
  {
    name: 'STRING',
    options: ['options', 'optionColors', 'maxLength', 'pattern', 'trim'],
    trimsKeys: true,
    fitsDefault: (value) => typeof value === 'string',
  },
  textColumn(stringKind, 255, (maxLength) => `VARCHAR(${maxLength})`),
);
