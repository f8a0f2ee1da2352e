import { plainKind, type FieldKind } from '../field-kind';

export const stringKind: FieldKind = {
  ...plainKind,
  isShort: true,
  differsByWord: true,
  type: 'STRING',
  isOnCards: true,
  isKey: true,
  hasWords: true,
  isName: true,
};
