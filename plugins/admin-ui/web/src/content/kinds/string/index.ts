import { plainKind, type FieldKind } from '../field-kind';

export const stringKind: FieldKind = {
  ...plainKind,
  differsByWord: true,
  type: 'STRING',
  isTelling: true,
  isKey: true,
  hasWords: true,
  isName: true,
};
