import { Button, Group, NativeSelect, Pill } from '@mantine/core';
import type { Criterion, ItemMetadata, Operator, SearchField } from '@gantry/contracts';
import { useRef, useState, type SubmitEvent } from 'react';
import { SearchIcon } from '../../ui/icons';
import { useCharacterKey } from '../../ui/use-character-key';
import type { FilterProps, FilterTextProps } from '../kinds/field-view';
import { ChoiceFilter } from '../kinds/plain-views';
import { viewOf } from '../kinds/views';
import { numberKind } from '../kinds/number';
import { kindOf } from '../kinds/registry';

export interface SearchBarProps {
  readonly metadata: ItemMetadata;
  readonly criteria: readonly Criterion[];
  onChange(criteria: readonly Criterion[]): void;
}

/** Adds criteria one by one; each that applies is a chip. */
export function SearchBar({ metadata, criteria, onChange }: SearchBarProps) {
  const inputs = searchInputs(metadata);
  const [name, setName] = useState(inputs[0]?.name ?? 'id');
  const field = inputs.find((candidate) => candidate.name === name) ?? inputs[0];
  const [operator, setOperator] = useState<Operator>();
  const [value, setValue] = useState('');
  const bar = useRef<HTMLFormElement>(null);
  const focusValue = (): void => bar.current?.querySelector<HTMLElement>('[data-search-value]')?.focus();
  useCharacterKey('/', focusValue);
  // A chip goes with its filter, and the button waits for a value: the focus goes on where the next one is typed.
  const apply = (next: readonly Criterion[]): void => {
    onChange(next);
    focusValue();
  };
  if (field === undefined) return null;
  const offered = operatorsFor(field);
  const chosen = offered.find((candidate) => candidate === operator) ?? offered[0] ?? 'EQUALS';
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (value.trim() === '') return;
    const added: Criterion = { field: field.name, operator: chosen, value };
    const others = criteria.filter((known) => !isSame(known, added));
    setValue('');
    apply([...others, added]);
  };
  return (
    <form onSubmit={add} role="search" aria-label={`Search ${metadata.displayName}`} ref={bar}>
      <Group gap="xs" align="end">
        <NativeSelect
          aria-label="Field"
          data={inputs.map((input) => ({ value: input.name, label: input.displayName }))}
          value={field.name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setOperator(undefined);
            setValue('');
          }}
        />
        <NativeSelect
          aria-label="Operator"
          data={offered.map((candidate) => ({ value: candidate, label: operatorLabels[candidate] }))}
          value={chosen}
          onChange={(event) => setOperator(event.currentTarget.value as Operator)}
        />
        <ValueInput key={field.name} field={field} value={value} onChange={setValue} />
        <Button type="submit" variant="light" leftSection={<SearchIcon size={16} />} disabled={value.trim() === ''}>
          Search
        </Button>
      </Group>
      <Chips inputs={inputs} criteria={criteria} onChange={apply} />
    </form>
  );
}

function ValueInput({ field, ...props }: Omit<FilterProps, 'label'>) {
  const label = `Value of ${field.displayName}`;
  if (field.options !== undefined) return <ChoiceFilter {...props} label={label} choices={field.options} />;
  const { Filter } = viewOf(field.type);
  return <Filter {...props} field={field} label={label} />;
}

function Chips({
  inputs,
  criteria,
  onChange,
}: Pick<SearchBarProps, 'criteria' | 'onChange'> & { readonly inputs: readonly SearchField[] }) {
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
            {name} {operatorLabels[criterion.operator]} “
            <bdi>{<ChipValue field={field} value={criterion.value} />}</bdi>”
          </Pill>
        );
      })}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
        Clear all
      </Button>
    </Group>
  );
}

function ChipValue(props: FilterTextProps) {
  const { FilterText } = viewOf(props.field?.type ?? '');
  return <FilterText {...props} />;
}

function isSame(left: Criterion, right: Criterion): boolean {
  return left.field === right.field && left.operator === right.operator && left.value === right.value;
}

/** The id can be searched for in every type (specification, section 4.4). */
const idField: SearchField = {
  name: 'id',
  displayName: 'Id',
  type: numberKind.type.toLowerCase() as SearchField['type'],
};

/** What the search bar offers: the searchable fields and the id. */
function searchInputs(metadata: ItemMetadata): readonly SearchField[] {
  return [...metadata.searchable, idField];
}

/** Of a choice, only one value can be meant. */
function operatorsFor({ type, options }: SearchField): readonly Operator[] {
  return options === undefined ? kindOf(type).operators : ['EQUALS', 'CONTAINS'];
}

const operatorLabels: Readonly<Record<Operator, string>> = {
  CONTAINS: 'contains',
  EQUALS: 'equals',
  MORE_THAN: 'more than',
  LESS_THAN: 'less than',
};
