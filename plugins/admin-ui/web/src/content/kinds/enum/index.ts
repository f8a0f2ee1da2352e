import { shortText } from '../../../api/label';
import { plainKind, type FieldKind } from '../field-kind';

/** A list of options is held as the text of its JSON. */
export const enumKind: FieldKind = {
  ...plainKind,
  type: 'ENUM',
  formValue: (value) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : shortText(value)),
  payloadValue: (value, { multiple }) => (value === '' ? null : multiple === true ? JSON.parse(String(value)) : value),
  operators: ['EQUALS', 'NOT_EQUALS', 'IN'],
};
