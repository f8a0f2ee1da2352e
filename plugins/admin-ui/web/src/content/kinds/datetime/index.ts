import { plainKind, type FieldKind } from '../field-kind';

export const dateTimeKind: FieldKind = {
  ...plainKind,
  isShort: true,
  type: 'DATETIME',
  isAtEnd: true,
  cellText: () => '30 Sept, 20:08',
  operators: ['BEFORE', 'AFTER', 'BETWEEN', 'EQUALS'],
};
