import { Button, CloseButton, Group, NativeSelect, Pill, TextInput } from '@mantine/core';
import type { Criterion, ItemMetadata, Operator, SearchField } from '@gantry/contracts';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import type { Reference } from '../../api/items';
import { itemQuery } from '../../api/queries';
import { SearchIcon } from '../../ui/icons';
import { itemLabel } from '../label';
import { targetType } from '../target-type';
import { ReferenceSelect } from '../reference/reference-select';
import { operatorLabels, operatorsFor, searchInputs } from './search-inputs';

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
  useHotkeys([['/', focusValue]]);
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

interface ValueInputProps {
  readonly field: SearchField;
  readonly value: string;
  onChange(value: string): void;
}

function ValueInput({ field, value, onChange }: ValueInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const label = `Value of ${field.displayName}`;
  const target = targetType(field.reference);
  const choices = field.type === 'boolean' ? booleanChoices : field.options;
  if (choices !== undefined) {
    return (
      <NativeSelect
        data-search-value
        aria-label={label}
        data={[{ value: '', label: 'Choose …' }, ...choices]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (target !== undefined) {
    return <ReferenceValue label={label} target={target} value={value} onChange={onChange} />;
  }
  return (
    <TextInput
      ref={input}
      data-search-value
      className="search-value"
      aria-label={label}
      placeholder={`Search ${field.displayName.toLocaleLowerCase()}`}
      inputMode={field.type === 'number' ? 'decimal' : 'text'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        value === '' ? null : (
          <CloseButton
            aria-label="Clear value"
            onClick={() => {
              onChange('');
              // The button goes with the value.
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}

/** The value is an id; what one sees is what was chosen. */
function ReferenceValue({ label, target, value, onChange }: Omit<ValueInputProps, 'field'> & ReferenceTarget) {
  const [chosen, setChosen] = useState<Reference>();
  return (
    <div className="search-value">
      <ReferenceSelect
        label={label}
        target={target}
        chosenText={value === '' || chosen === undefined ? undefined : chosen.label.slice(0, 200)}
        onChoose={(reference) => {
          setChosen(reference);
          onChange(reference.id);
        }}
        onClear={() => onChange('')}
      />
    </div>
  );
}

interface ReferenceTarget {
  readonly label: string;
  /** Type code. */
  readonly target: string;
}

const booleanChoices = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

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

/** A reference reads as its label, a choice as its words. */
function ChipValue({ field, value }: { readonly field: SearchField | undefined; readonly value: string }) {
  const target = targetType(field?.reference);
  const item = useQuery({ ...itemQuery(target ?? '', value), enabled: target !== undefined });
  if (target !== undefined && item.data !== undefined) return itemLabel(item.data);
  if (field?.type === 'boolean') return booleanChoices.find((choice) => choice.value === value)?.label ?? value;
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

function isSame(left: Criterion, right: Criterion): boolean {
  return left.field === right.field && left.operator === right.operator && left.value === right.value;
}
