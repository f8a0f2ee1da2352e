import { Autocomplete, Button, NativeSelect, TextInput, type AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { typesQuery } from '../api/queries';
import { parseDay } from '../content/kinds/day-text';
import { DayPicker } from '../content/kinds/typed-value';
import { FilterIcon } from '../ui/icons';
import type { AuditControl } from './audit-state';
import { securityActionText } from './security-action-text';

export interface AuditFiltersProps {
  readonly control: AuditControl;
  /** Those of the page in sight, by what they are called: codes with names. */
  readonly actors: ReadonlyMap<string, string>;
  /** Actions of the page in sight. */
  readonly actions: readonly string[];
}

/** Narrows the list down, at once. A narrow window shows the first filter, and the others behind a button. */
export function AuditFilters({ control, actors, actions }: AuditFiltersProps) {
  const { state, change, clear, isFiltered } = control;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div role="search" aria-label="Search the audit log" className="search-bar audit-filters">
      <CodeInput
        label="Actor"
        placeholder="Any actor"
        names={actors}
        applied={state.actor}
        onApply={(actor) => change({ actor })}
      />
      <Button
        variant="default"
        className="only-narrow"
        leftSection={<FilterIcon size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filter
      </Button>
      <div id={id} className="audit-further" data-open={isOpen || undefined}>
        {state.tab === 'items' ? (
          <>
            <TypeFilter control={control} />
            <NativeSelect
              aria-label="Action"
              className="search-choice"
              data-chosen={state.action}
              data={[{ value: '', label: 'Any action' }, ...itemActions]}
              value={state.action ?? ''}
              onChange={(event) => change({ action: event.currentTarget.value || undefined })}
            />
          </>
        ) : (
          <CodeInput
            label="Action"
            placeholder="Any action"
            names={new Map(actions.map((action) => [action, securityActionText(action)]))}
            applied={state.action}
            onApply={(action) => change({ action })}
          />
        )}
        <DayInput label="From" value={state.from} onChange={(from) => change({ from })} />
        <DayInput label="To" value={state.to} onChange={(to) => change({ to })} />
        {isFiltered ? (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface CodeInputProps extends Pick<AutocompleteProps, 'placeholder'> {
  readonly label: string;
  /** Of what is offered, by codes. */
  readonly names: ReadonlyMap<string, string>;
  /** The code by which the list is filtered. */
  readonly applied: string | undefined;
  onApply(code: string | undefined): void;
}

/** A code, such as `user:12`: chosen, or typed and taken over with Enter or on leaving. */
function CodeInput({ label, placeholder, names, applied, onApply }: CodeInputProps) {
  const [text, setText] = useFieldText(applied);
  const apply = (code: string): void => {
    if (code.trim() !== (applied ?? '')) onApply(code.trim() || undefined);
  };
  return (
    <Autocomplete
      className="audit-code"
      aria-label={label}
      placeholder={placeholder}
      data={[...names.keys()]}
      renderOption={({ option: { value } }) => optionText(value, names.get(value))}
      filter={({ options }) => options}
      value={text}
      onChange={setText}
      onOptionSubmit={apply}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply(text);
      }}
    />
  );
}

const itemActions = [
  { value: 'created', label: 'Created' },
  { value: 'updated', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
  { value: 'restored', label: 'Restored' },
];

function optionText(value: string, name: string | undefined): string {
  return name === undefined || name === value ? value : `${name} (${value})`;
}

function TypeFilter({ control: { state, change } }: Pick<AuditFiltersProps, 'control'>) {
  const { data: types = [] } = useQuery(typesQuery);
  const known = types.map(({ type, displayNamePlural }) => ({ value: type, label: displayNamePlural }));
  return (
    <NativeSelect
      aria-label="Type"
      className="search-choice"
      data-chosen={state.type}
      data={[
        { value: '', label: 'Any type' },
        ...known.toSorted((left, right) => left.label.localeCompare(right.label)),
      ]}
      value={state.type ?? ''}
      onChange={(event) => change({ type: event.currentTarget.value || undefined })}
    />
  );
}

interface DayInputProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(day: string | undefined): void;
}

/** As in forms: no order of day and month can change what is typed. */
function DayInput({ label, value, onChange }: DayInputProps) {
  const [text, setText] = useFieldText(value);
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '' || parseDay(typed) !== undefined) onChange(typed || undefined);
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={`${label} YYYY-MM-DD`}
      autoComplete="off"
      className="audit-day"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={<DayPicker text={text} label={label} onPick={type} />}
    />
  );
}

/** The typed text, until the address changes. */
function useFieldText(applied: string | undefined): [string, (text: string) => void] {
  const [typed, setTyped] = useState({ text: applied ?? '', applied });
  if (typed.applied !== applied) setTyped({ text: applied ?? '', applied });
  return [typed.text, (text) => setTyped({ text, applied })];
}
