import { shortText } from '../../../api/label';
import { shortDay } from '../day-text';
import { plainKind, type FieldKind } from '../field-kind';

export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  isDay: true,
  isAtEnd: true,
  cellText: (value) => shortDay(shortText(value)),
  operators: ['EQUALS', 'BEFORE', 'AFTER', 'BETWEEN', 'CONTAINS'],
};
