import { definePlugin } from '@gantry/plugin-api';
import { colorKind } from './color';
import { emailKind } from './email';
import { jsonKind } from './json';
import { keyValueKind } from './key-value';
import { moneyKind } from './money';
import { repeatableKind } from './repeatable';
import { richTextKind } from './rich-text';
import { slugKind } from './slug';
import { urlKind } from './url';
import { uuidKind } from './uuid';

export {
  colorKind,
  emailKind,
  jsonKind,
  keyValueKind,
  moneyKind,
  repeatableKind,
  richTextKind,
  slugKind,
  urlKind,
  uuidKind,
};
export type { JsonSettings } from './json-schema';
export type { Money } from './money';
export type { RepeatableSettings, SubFieldOptions } from './repeatable/settings';
export type { RichTextDocument } from './rich-text/document-node';
export type { RichTextBlock, RichTextMark, RichTextSettings } from './rich-text/settings';

export default definePlugin({
  id: 'field-kinds',
  fieldKinds: [
    emailKind,
    urlKind,
    colorKind,
    uuidKind,
    slugKind,
    jsonKind,
    keyValueKind,
    moneyKind,
    repeatableKind,
    richTextKind,
  ],
});
