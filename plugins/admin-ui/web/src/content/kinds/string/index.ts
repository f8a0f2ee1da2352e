import { plainKind, type FieldKind } from '../field-kind';

export const stringType = 'STRING';

export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  differsByWord: true,
  isLine: true,
  isOnCards: true,
  isKey: true,
  hasWords: true,
  isName: true,
};
