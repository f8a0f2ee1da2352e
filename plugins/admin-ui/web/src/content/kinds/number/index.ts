import { numberText, toNumber } from '../../../api/json';
import { shortText } from '../../../api/label';
import { plainKind, type FieldKind } from '../field-kind';
import { localNumber, plainNumber, shownNumber } from './digits';

export const numberType = 'NUMBER';

export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  formValue: (value, field) => plainNumber(numberText(value) ?? shortText(value), field),
  payloadValue: (value) => (value === '' ? null : asNumber(value)),
  givenValue: asNumber,
  operators: ['EQUALS', 'MORE_THAN', 'LESS_THAN'],
  isAtEnd: true,
  isNumeric: true,
  cellText: (value, fraction) => localNumber(shownNumber(shortText(value), fraction)),
  isKey: true,
};

function asNumber(value: unknown): unknown {
  return typeof value === 'string' ? toNumber(value) : value;
}
