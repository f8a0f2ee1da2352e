import { plainKind, type FieldKind } from '../field-kind';

export const dateTimeKind: FieldKind = {
  ...plainKind,
  type: 'DATETIME',
  operators: ['BEFORE', 'AFTER', 'BETWEEN', 'EQUALS'],
};
