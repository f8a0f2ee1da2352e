import { plainKind, type FieldKind } from '../field-kind';

/** Only one value can be meant, so that EQUALS is what helps. */
export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  formValue: (value) => value === true,
  cellText: () => 'Yes',
  operators: ['EQUALS', 'CONTAINS'],
};
