import type { FieldHints, OptionColor } from '@gantry/contracts';
import { optionText } from './choice-text';

/** One of the options of a field, with the colour that the type declares for it. Plain elements, as a table has many. */
export function ChoiceBadge({
  value,
  field,
}: {
  readonly value: string;
  readonly field: Pick<FieldHints, 'optionColors' | 'optionLabels'>;
}) {
  const color: OptionColor = field.optionColors?.[value] ?? 'gray';
  return (
    <span className="choice-badge" data-color={color} title={value}>
      {optionText(field, value)}
    </span>
  );
}
