import { LosslessNumber } from 'lossless-json';
import type { FieldDescriptor } from './descriptor';
import { kindOf } from './kinds/registry';

/** Options and defaults that the field itself would refuse on input. */
export function presetProblems(field: FieldDescriptor): readonly string[] {
  const { options = [], default: preset } = field;
  return [
    ...options.flatMap((option) => refusal(field, `the option ${JSON.stringify(option)}`, option)),
    ...(preset === undefined ? [] : refusal(field, 'a default that cannot be stored', jsonValue(field, preset))),
  ];
}

function refusal(field: FieldDescriptor, what: string, value: unknown): readonly string[] {
  const result = kindOf(field).parse(value, field);
  return result.ok ? [] : [`${field.name} has ${what}: it ${result.message}`];
}

function jsonValue(field: FieldDescriptor, preset: string | number | boolean): unknown {
  return field.type === 'NUMBER' ? new LosslessNumber(String(preset)) : preset;
}
