import { describeCondition, type FormField } from '@gantry/contracts';

/** `url is required if kind is LINK`, with the names that the form shows; other messages as they are. */
export function rewordRequired({ name, requiredIf }: FormField, fields: readonly FormField[], message: string): string {
  if (requiredIf === undefined || !message.startsWith(`${name} is required if `)) return message;
  const find = (wanted: string): FormField | undefined => fields.find((field) => field.name === wanted);
  const reason = describeCondition(requiredIf, {
    field: (wanted) => find(wanted)?.displayName ?? wanted,
    value: (wanted, value) => find(wanted)?.optionLabels?.[String(value)] ?? String(value),
  });
  return `${name} is required if ${reason}`;
}
