import { shortText } from '../../../api/label';
import { plainKind, type FieldKind } from '../field-kind';

export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  // Omit `:00` seconds.
  formValue: (value) => shortText(value).replace(/^(\d\d:\d\d):00$/, '$1'),
  isAtEnd: true,
  operators: ['EQUALS', 'MORE_THAN', 'LESS_THAN', 'BETWEEN'],
};
