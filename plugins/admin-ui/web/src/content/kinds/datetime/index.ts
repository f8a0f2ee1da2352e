import { plainKind, type FieldKind } from '../field-kind';

export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  isAtEnd: true,
  cellText: () => '30 Sept, 20:08',
  operators: ['BEFORE', 'AFTER', 'BETWEEN', 'EQUALS'],
};
