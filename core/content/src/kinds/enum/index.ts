import type { FieldOptions } from '@gantry/plugin-api';
import { plainFieldType } from '../plain-column';
import { optionKind, optionsKind } from './enum-kinds';

/** Longest option; a column holds each, and its index. */
const longestOption = 255;

/** ENUM: one of the declared options, or several of them. */
export const fieldType = plainFieldType(
  {
    name: 'ENUM',
    options: ['options', 'optionColors', 'optionLabels', 'cardinality'],
    fitsDefault: (value) => typeof value === 'string',
    problems,
  },
  {
    usual: ({ options }) => (isMultiple(options) ? 'JSONB' : `VARCHAR(${longestOption})`),
    holds: (columnType) => /^(?:jsonb|varchar(?:\(\d+\))?|text)$/i.test(columnType),
    kindOf: (_columnType, { options }) =>
      isMultiple(options) ? { kind: optionsKind, multiple: true } : { kind: optionKind },
  },
);

function isMultiple({ cardinality }: FieldOptions): boolean {
  return cardinality === 'MULTIPLE';
}

function problems({ options, optionLabels = {}, cardinality, column }: FieldOptions): readonly string[] {
  const unknown = Object.keys(optionLabels).filter((option) => options?.includes(option) === false);
  return [
    ...(options === undefined ? ['is an ENUM without options'] : []),
    ...(options?.some((option) => option.length > longestOption)
      ? [`has an option of more than ${longestOption} characters`]
      : []),
    ...unknown.map((option) => `has a label of ${option}, which is not an option`),
    ...(cardinality === 'MULTIPLE' && column !== undefined
      ? ['has several options, whose column the platform makes; leave out column']
      : []),
  ];
}
