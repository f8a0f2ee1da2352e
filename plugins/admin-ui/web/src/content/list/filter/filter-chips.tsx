import type { SearchField } from '@gantry/contracts';
import { Button, Group } from '@mantine/core';
import type { CriterionEntry } from '../../../api/items';
import { lazyPart } from '../../../ui/lazy-part';
import { isCriterion, relatedParts } from './criteria-text';
import { CriterionChip } from './criterion-chip';
import type { FurtherChipProps } from './further-chip';

export interface FilterChipsProps {
  readonly inputs: readonly SearchField[];
  readonly criteria: readonly CriterionEntry[];
  onChange(criteria: readonly CriterionEntry[]): void;
}

/** The criteria that apply, each with a button that removes it. */
export function FilterChips({ inputs, criteria, onChange }: FilterChipsProps) {
  if (criteria.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label="Filters">
      {criteria.map((entry, index) => {
        const change = (changed: readonly CriterionEntry[]): void => onChange(criteria.toSpliced(index, 1, ...changed));
        const key = `${index} ${JSON.stringify(entry)}`;
        if (isCriterion(entry) && relatedParts(entry.field).related === undefined) {
          const field = inputs.find(({ name }) => name === entry.field);
          const name = field?.displayName ?? entry.field;
          return <CriterionChip key={key} criterion={entry} field={field} name={name} onRemove={() => change([])} />;
        }
        const number = criteria.slice(0, index + 1).filter((other) => 'any' in other).length;
        return <FurtherChip key={key} inputs={inputs} entry={entry} number={number} onChange={change} />;
      })}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
        Clear all
      </Button>
    </Group>
  );
}

const FurtherChip = lazyPart<FurtherChipProps>(
  async () => (await import('./further-chip')).FurtherChip,
  () => true,
);
