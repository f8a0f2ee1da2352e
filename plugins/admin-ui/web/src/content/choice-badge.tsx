import type { FieldHints, OptionColor } from '@gantry/contracts';
import { optionText } from './choice-text';

/** Whether a colour is that of states in which somebody must act, or something is under way; the others are as usual. */
export function isUrgent(color: OptionColor): boolean {
  return color !== 'gray' && color !== 'green';
}

/**
 * One of the options of a field. Where the type declares colours, it is a state: a filled badge where somebody must act, otherwise a
 * dot and its text. Plain elements, as a table has many.
 */
export function ChoiceBadge({
  value,
  field,
}: {
  readonly value: string;
  readonly field: Pick<FieldHints, 'optionColors' | 'optionLabels'>;
}) {
  const text = optionText(field, value);
  if (field.optionColors === undefined) return <bdi title={text === value ? undefined : value}>{text}</bdi>;
  const color = field.optionColors[value] ?? 'gray';
  return (
    <span className="choice-badge" data-color={color} data-urgent={isUrgent(color) || undefined} title={value}>
      {text}
    </span>
  );
}
