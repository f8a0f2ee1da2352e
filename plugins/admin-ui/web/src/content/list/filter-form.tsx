import { Button, Group, NativeSelect } from '@mantine/core';
import type { Criterion, Operator, SearchField } from '@gantry/contracts';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { PlusIcon } from '../../ui/icons';
import { kindOf } from '../kinds/registry';
import { viewOfField } from '../kinds/views';
import { lazyPart } from '../../ui/lazy-part';
import { isSame, operatorLabel } from './criteria-text';
import type { OperatorValueProps } from './operator-value';

export interface FilterFormProps {
  readonly id: string;
  readonly inputs: readonly SearchField[];
  readonly criteria: readonly Criterion[];
  onChange(criteria: readonly Criterion[]): void;
}

/** Adds criteria one by one, as the specification has them: a field, an operator and a value. */
export function FilterForm({ id, inputs, criteria, onChange }: FilterFormProps) {
  const [name, setName] = useState(inputs[0]?.name ?? 'id');
  const field = inputs.find((candidate) => candidate.name === name) ?? inputs[0];
  const [operator, setOperator] = useState<Operator>();
  const [value, setValue] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('select')?.focus(), []);
  if (field === undefined) return null;
  const offered = operatorsFor(field);
  const chosen = offered.find((candidate) => candidate === operator) ?? offered[0] ?? 'EQUALS';
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    // React passes it on to a form around the dialog that this one is in.
    event.stopPropagation();
    if (value.trim() === '') return;
    const added: Criterion = { field: field.name, operator: chosen, value };
    setValue('');
    onChange([...criteria.filter((known) => !isSame(known, added)), added]);
    // The button waits for a value again: the focus moves to where the next one is typed.
    form.current?.querySelector<HTMLElement>('[data-search-value]')?.focus();
  };
  return (
    <form id={id} ref={form} onSubmit={add} aria-label="Add a filter" className="filter-form">
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
          data={offered.map((candidate) => ({ value: candidate, label: operatorLabel(candidate) }))}
          value={chosen}
          onChange={(event) => {
            setOperator(event.currentTarget.value as Operator);
            if (isListed(event.currentTarget.value) !== isListed(chosen)) setValue('');
          }}
        />
        <ValueInput key={`${field.name} ${chosen}`} field={field} operator={chosen} value={value} onChange={setValue} />
        <Button type="submit" variant="light" leftSection={<PlusIcon size={16} />} disabled={value.trim() === ''}>
          Add filter
        </Button>
      </Group>
    </form>
  );
}

function ValueInput({ operator, ...props }: Omit<OperatorValueProps, 'label'>) {
  const { field } = props;
  const label = `Value of ${field.displayName}`;
  const isSpecial = ['EMPTY', 'IN', 'BETWEEN'].includes(operator) || field.type.includes('.');
  if (isSpecial) return <OperatorValue {...props} operator={operator} label={label} />;
  const { Filter } = viewOfField(field);
  return <Filter {...props} label={label} />;
}

const OperatorValue = lazyPart<OperatorValueProps>(
  async () => (await import('./operator-value')).OperatorValue,
  () => true,
);

/** Whether the value is one of these operators only, such as a list. */
function isListed(operator: string): string | undefined {
  return ['EMPTY', 'IN', 'BETWEEN'].find((one) => one === operator);
}

/** What helps most comes first, then what else the field has. Of a choice, only one value can be meant. */
function operatorsFor({ type, options, operators = [] }: SearchField): readonly Operator[] {
  const own: readonly Operator[] =
    options !== undefined && operators.includes('CONTAINS') ? ['EQUALS', 'CONTAINS'] : kindOf(type).operators;
  return [
    ...own,
    ...(operators as readonly Operator[]).filter((one) => !own.includes(one) && !specified.includes(one)),
  ];
}

const specified: readonly string[] = ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN'];
