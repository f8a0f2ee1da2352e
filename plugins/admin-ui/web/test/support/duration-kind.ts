import { createElement } from 'react';
import { shortText } from '../../src/api/label';
import { plainKind, type FieldKind } from '../../src/content/kinds/field-kind';
import type { FieldView } from '../../src/content/kinds/field-view';

/** Hours and minutes: a kind that no file of the pages knows of. */
export const durationKind: FieldKind = {
  ...plainKind,
  formValue: (value) => shortText(value ?? '0:00'),
  payloadValue: (value) => (value === '0:00' ? null : value),
  operators: ['MORE_THAN', 'LESS_THAN'],
  isSortable: false,
  isAtEnd: true,
  isNumeric: true,
  isKey: true,
  importHint: () => 'Write hours and minutes.',
};

export const durationView: FieldView = {
  Control: ({ id, value }) => createElement('input', { id, type: 'time', defaultValue: shortText(value) }),
  Locked: ({ value }) => createElement('time', {}, `locked ${shortText(value)}`),
  Cell: ({ column, item }) => createElement('time', {}, shortText(item.values[column.name])),
  Filter: ({ label }) => createElement('input', { type: 'time', 'aria-label': label }),
  FilterText: ({ value }) => createElement('time', {}, value),
};
