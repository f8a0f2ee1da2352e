import { definePlugin } from '@gantry/plugin-api';
import { colorKind } from './color';
import { emailKind } from './email';
import { jsonKind } from './json';
import { keyValueKind } from './key-value';
import { moneyKind } from './money';
import { repeatableKind } from './repeatable';
import { slugKind } from './slug';
import { urlKind } from './url';
import { uuidKind } from './uuid';

export { colorKind, emailKind, jsonKind, keyValueKind, moneyKind, repeatableKind, slugKind, urlKind, uuidKind };
export type { Money } from './money';
export type { RepeatableSettings, SubFieldOptions } from './repeatable/settings';

export default definePlugin({
  id: 'field-kinds',
  fieldKinds: [emailKind, urlKind, colorKind, uuidKind, slugKind, jsonKind, keyValueKind, moneyKind, repeatableKind],
});
