import type { FieldHints } from '@gantry/contracts';
import { StateMark } from '../ui/state-mark';
import { optionText } from './choice-text';

/** One of the options of a field. Where the type declares colours, it is a state. */
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
    <StateMark color={color} title={value}>
      {text}
    </StateMark>
  );
}
