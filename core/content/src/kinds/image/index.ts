import { refused, type FieldKind } from '../field-kind';
import { plainFieldType } from '../plain-column';
import { checkStorable } from '../text-characters';
import { acceptedPattern } from '../text-pattern';
import { parseText, textColumn, textKind } from '../text-kind';

const rules = 'line';

/** IMAGE: the address of an image, either http(s) or a path of this platform. */
export const imageKind: FieldKind = {
  ...textKind('image', 'IMAGE', () => rules),
  index: 'none',
  isFileAddress: true,
  isEmptyTextNone: true,
  parse(value, field) {
    // The address of an image is not normalized: another server may have both spellings.
    const text = parseText(value, field, rules, false);
    if (!text.ok || isImageAddress(text.value)) return text;
    return refused(
      'IMAGE_ADDRESS',
      'must be an address that begins with http:// or https://, or a path that begins with /',
    );
  },
  convert: checkStorable,
  jsonSchema: (field) => ({
    type: 'string',
    maxLength: field.maxLength,
    format: 'uri-reference',
    pattern: acceptedPattern(rules, field.required),
  }),
  example: (field) => (field.required ? '/images/example.png' : undefined),
};

export const fieldType = plainFieldType(
  { name: 'IMAGE', options: ['maxLength', 'pattern'], fitsDefault: (value) => typeof value === 'string' },
  textColumn(imageKind, 2048, (maxLength) => `VARCHAR(${maxLength})`),
);

function isImageAddress(text: string): boolean {
  if (/[\u0000-\u0020\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}
