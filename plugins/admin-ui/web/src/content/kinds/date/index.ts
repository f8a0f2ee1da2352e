import { plainKind, type FieldKind } from '../field-kind';

export const dateKind: FieldKind = {
  ...plainKind,
  type: 'DATE',
  operators: ['EQUALS', 'BEFORE', 'AFTER', 'BETWEEN', 'CONTAINS'],
};
