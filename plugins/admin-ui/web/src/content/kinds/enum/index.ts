import { shortText } from '../../../api/label';
import { plainKind, type FieldKind } from '../field-kind';

/** A list of options is held as the text of its JSON. */
export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  isOnCards: true,
  formValue: (value) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : shortText(value)),
  payloadValue(value, { multiple }): unknown {
    if (value === '') return null;
    return multiple === true && typeof value === 'string' ? JSON.parse(value) : value;
  },
  operators: ['EQUALS', 'NOT_EQUALS', 'IN'],
};
