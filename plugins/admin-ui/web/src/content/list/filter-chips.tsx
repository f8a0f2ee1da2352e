import { Button, Group, Pill } from '@mantine/core';
import type { Criterion, SearchField } from '@gantry/contracts';
import type { FilterTextProps } from '../kinds/field-view';
import { viewOf, viewOfField } from '../kinds/views';
import { isSame, operatorLabel, textsOf } from './criteria-text';

interface FilterChipsProps {
  readonly inputs: readonly SearchField[];
  readonly criteria: readonly Criterion[];
  onChange(criteria: readonly Criterion[]): void;
}

/** The criteria that apply, each with a button that removes it. */
export function FilterChips({ inputs, criteria, onChange }: FilterChipsProps) {
  if (criteria.length === 0) return null;
  return (
    <Group gap="xs" mt="xs" role="group" aria-label="Filters">
      {criteria.map((criterion) => {
        const field = inputs.find((candidate) => candidate.name === criterion.field);
        const name = field?.displayName ?? criterion.field;
        return (
          <Pill
            key={`${criterion.field} ${criterion.operator} ${criterion.value}`}
            size="lg"
            fz="sm"
            withRemoveButton
            onRemove={() => onChange(criteria.filter((other) => !isSame(other, criterion)))}
            removeButtonProps={{ 'aria-label': `Remove filter ${name}`, 'aria-hidden': false, tabIndex: 0 }}
          >
            {name} {operatorLabel(criterion.operator)} “
            <bdi>{<ChipValue field={field} value={criterion.value} operator={criterion.operator} />}</bdi>”
          </Pill>
        );
      })}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
        Clear all
      </Button>
    </Group>
  );
}

function ChipValue({ operator, ...props }: FilterTextProps & { readonly operator: string }) {
  const { field, value } = props;
  if (operator === 'EMPTY') return value === 'true' ? 'yes' : 'no';
  const { FilterText } = field === undefined ? viewOf('') : viewOfField(field);
  const values = operator === 'IN' || operator === 'BETWEEN' ? textsOf(value) : undefined;
  if (values === undefined) return <FilterText {...props} />;
  return values.map((one, index) => (
    <span key={`${index} ${one}`}>
      {index === 0 ? '' : ', '}
      <FilterText {...props} value={one} />
    </span>
  ));
}
