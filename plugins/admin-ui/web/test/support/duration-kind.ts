import type { CmsFieldType } from '@gantry/contracts';
import { createElement } from 'react';
import { shortText } from '../../src/api/label';
import { plainKind, type FieldKind } from '../../src/content/kinds/field-kind';
import type { FieldView } from '../../src/content/kinds/field-view';

/** The name is that of no field type of the platform. */
const type = 'DURATION' as CmsFieldType;

/** Hours and minutes: a kind that no file of the pages knows of. */
export const durationKind: FieldKind = {
  ...plainKind,
  type,
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
  type,
  Control: ({ id, value }) => createElement('input', { id, type: 'time', defaultValue: shortText(value) }),
  Locked: ({ value }) => createElement('time', {}, `locked ${shortText(value)}`),
  Cell: ({ column, item }) => createElement('time', {}, shortText(item.values[column.name])),
  Filter: ({ label }) => createElement('input', { type: 'time', 'aria-label': label }),
  FilterText: ({ value }) => createElement('time', {}, value),
};
