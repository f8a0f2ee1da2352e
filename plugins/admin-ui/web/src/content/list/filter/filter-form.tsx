import { Button, Group, NativeSelect } from '@mantine/core';
import type { Criterion, OperatorName, SearchField } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import type { CriterionEntry } from '../../../api/items';
import { typesQuery } from '../../../api/queries';
import { PlusIcon } from '../../../ui/icons';
import { lazyPart } from '../../../ui/lazy-part';
import { viewOfField } from '../../kinds/views';
import { targetType } from '../../target-type';
import { isCriterion, isSame, operatorLabel } from './criteria-text';
import type { OperatorValueProps } from './operator-value';
import { relatedName, useRelatedFields } from './use-filter-field';
import { kindOf } from '../../kinds/registry';

/**
 * The operators of a field as its metadata has them, the first of which is chosen until the reader chooses another one: what helps most,
 * then the others. A field without any in the metadata, such as the id, has those of its kind.
 */
export function offeredOperators({ type, options, operators }: SearchField): readonly OperatorName[] {
  const { operators: usual } = kindOf(type);
  if (operators === undefined) return usual;
  const helpful = (options === undefined ? usual : ofChoices).filter((one) => operators.includes(one));
  return [...helpful, ...operators.filter((one) => !helpful.some((known) => known === one))];
}

/** Of a choice, only one value can be meant, whatever its type. */
const ofChoices: readonly OperatorName[] = ['EQUALS', 'CONTAINS'];

/** Of an operator that takes another value than one of the field, its name; undefined for the others. */
function differentValueOf(operator: string): 'EMPTY' | 'IN' | 'BETWEEN' | undefined {
  return (['EMPTY', 'IN', 'BETWEEN'] as const).find((one) => one === operator);
}

export interface FilterFormProps {
  readonly id: string;
  readonly inputs: readonly SearchField[];
  readonly criteria: readonly CriterionEntry[];
  /** Whether fields of referenced items can be compared, too. */
  readonly hasRelated: boolean;
  onChange(criteria: readonly CriterionEntry[]): void;
}

/**
 * Adds criteria one by one, as the specification has them: a field, an operator and a value. All of them must hold, or one of those in
 * a group.
 */
export function FilterForm({ id, inputs, criteria, hasRelated, onChange }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const compared = useComparedField(inputs, hasRelated);
  const [operator, setOperator] = useState<OperatorName>();
  const [value, setValue] = useState('');
  const [group, setGroup] = useState(everyFilter);
  useEffect(() => form.current?.querySelector('select')?.focus(), []);
  const { field } = compared;
  const groups = criteria.filter((entry) => 'any' in entry).length;
  const addTo = group === newGroup || Number(group) <= groups ? group : everyFilter;
  const offered = field === undefined ? [] : offeredOperators(field);
  const chosen = offered.find((candidate) => candidate === operator) ?? offered[0] ?? 'EQUALS';
  const reset = (): void => {
    setOperator(undefined);
    setValue('');
  };
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    // React passes it on to a form around the dialog that this one is in.
    event.stopPropagation();
    if (field === undefined || value.trim() === '') return;
    onChange(withCriterion(criteria, { field: field.name, operator: chosen, value }, addTo));
    // The next one is added to the same group.
    if (addTo === newGroup) setGroup(String(groups + 1));
    setValue('');
    // The button waits for a value again: the focus moves to where the next one is typed.
    form.current?.querySelector<HTMLElement>('[data-search-value]')?.focus();
  };
  return (
    <form id={id} ref={form} onSubmit={add} aria-label="Add a filter" className="filter-form">
      <Group gap="xs" align="end">
        <FieldSelects {...compared} inputs={inputs} onReset={reset} />
        <NativeSelect
          aria-label="Operator"
          data={offered.map((candidate) => ({ value: candidate, label: operatorLabel(candidate) }))}
          value={chosen}
          onChange={(event) => {
            setOperator(event.currentTarget.value);
            if (differentValueOf(event.currentTarget.value) !== differentValueOf(chosen)) setValue('');
          }}
        />
        {field === undefined ? null : (
          // An entered value stays if another operator takes the same kind of value.
          <ValueInput
            key={`${field.name} ${differentValueOf(chosen) ?? ''}`}
            {...{ field, value }}
            operator={chosen}
            onChange={setValue}
          />
        )}
        <GroupSelect groups={groups} value={addTo} onChange={setGroup} />
        <Button type="submit" variant="light" leftSection={<PlusIcon size={16} />} disabled={value.trim() === ''}>
          Add filter
        </Button>
      </Group>
    </form>
  );
}

interface ComparedField {
  readonly input: SearchField | undefined;
  /** Fields of the items that it refers to. */
  readonly related: readonly SearchField[];
  /** Compared field, with its name in criteria and for people. */
  readonly field: SearchField | undefined;
  choose(name: string, related: string): void;
}

/** The field that is chosen: one of the type, or one of the items that a reference refers to. */
function useComparedField(inputs: readonly SearchField[], hasRelated: boolean): ComparedField {
  const [chosen, setChosen] = useState({ name: inputs[0]?.name ?? 'id', related: '' });
  const { data: types = [] } = useQuery({ ...typesQuery, enabled: hasRelated });
  const input = inputs.find(({ name }) => name === chosen.name) ?? inputs[0];
  // Of a type that is hidden, nothing can be compared.
  const target = types.find(({ type }) => type === targetType(input?.reference));
  const related = useRelatedFields(hasRelated && target !== undefined ? input : undefined) ?? [];
  const one = related.find(({ name }) => name === chosen.related);
  const field =
    one === undefined || input === undefined
      ? input
      : { ...one, name: `${input.name}.${one.name}`, displayName: relatedName(input.displayName, one.displayName) };
  return {
    input,
    related,
    field,
    choose: (name, relatedField) => setChosen({ name, related: relatedField }),
  };
}

function FieldSelects({
  inputs,
  input,
  related,
  field,
  choose,
  onReset,
}: ComparedField & { readonly inputs: readonly SearchField[]; onReset(): void }) {
  if (input === undefined) return null;
  const ofReference = field === undefined || field.name === input.name ? '' : field.name.slice(input.name.length + 1);
  return (
    <>
      <NativeSelect
        aria-label="Field"
        data={inputs.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        value={input.name}
        onChange={(event) => {
          choose(event.currentTarget.value, '');
          onReset();
        }}
      />
      {related.length === 0 ? null : (
        <NativeSelect
          aria-label={`Field of ${input.displayName}`}
          data={[
            { value: '', label: 'as a whole' },
            ...related.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ]}
          value={ofReference}
          onChange={(event) => {
            choose(input.name, event.currentTarget.value);
            onReset();
          }}
        />
      )}
    </>
  );
}

const everyFilter = '';
const newGroup = 'new';

/** Whether the filter must hold, or it and others of which one must. */
function GroupSelect({
  groups,
  value,
  onChange,
}: {
  readonly groups: number;
  readonly value: string;
  onChange(value: string): void;
}) {
  const numbers = Array.from({ length: groups }, (_group, index) => String(index + 1));
  return (
    <NativeSelect
      aria-label="Add to"
      data={[
        { value: everyFilter, label: 'All of these' },
        { value: newGroup, label: 'Any of these' },
        ...numbers.map((number) => ({ value: number, label: `Any of these (group ${number})` })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function withCriterion(
  criteria: readonly CriterionEntry[],
  added: Criterion,
  group: string,
): readonly CriterionEntry[] {
  const others = (entries: readonly CriterionEntry[]) =>
    entries.filter((known) => !isCriterion(known) || !isSame(known, added));
  if (group === everyFilter) return [...others(criteria), added];
  if (group === newGroup) return [...criteria, { any: [added] }];
  let number = 0;
  return criteria.map((entry) => {
    if (!('any' in entry)) return entry;
    number += 1;
    return String(number) === group ? { any: [...others(entry.any), added] } : entry;
  });
}

function ValueInput({ operator, ...props }: Omit<OperatorValueProps, 'label'>) {
  const { field } = props;
  const label = `Value of ${field.displayName}`;
  const isSpecial = differentValueOf(operator) !== undefined || field.type.includes('.');
  if (isSpecial) return <OperatorValue {...props} operator={operator} label={label} />;
  const { Filter } = viewOfField(field);
  return <Filter {...props} label={label} />;
}

const OperatorValue = lazyPart<OperatorValueProps>(
  async () => (await import('./operator-value')).OperatorValue,
  () => true,
);
