import type { FieldDescriptor } from './descriptor';

/** Options and defaults that the field itself would refuse on input. */
export function presetProblems(field: FieldDescriptor): readonly string[] {
  const { options = [], default: preset } = field;
  return [
    ...options.flatMap((option) => refusal(field, `the option ${JSON.stringify(option)}`, option)),
    ...(preset === undefined ? [] : refusal(field, 'a default that cannot be stored', field.kind.fromModel(preset))),
  ];
}

function refusal(field: FieldDescriptor, what: string, value: unknown): readonly string[] {
  const result = field.kind.parse(value, field);
  return result.ok ? [] : [`${field.name} has ${what}: it ${result.message}`];
}
