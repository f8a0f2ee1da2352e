import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { typesQuery } from '../api/queries';
import { parseDay } from '../content/kinds/day-text';
import { DayPicker } from '../content/kinds/typed-value';
import { SearchIcon } from '../ui/icons';
import type { AuditControl } from './audit-state';
import { securityActionText } from './security-action-text';

export interface AuditFiltersProps {
  readonly control: AuditControl;
  /** Those of the page in sight, by what they are called: codes with names. */
  readonly actors: ReadonlyMap<string, string>;
  /** Actions of the page in sight. */
  readonly actions: readonly string[];
}

/** Narrows the list down. Text is taken over with Enter or the button, choices at once. */
export function AuditFilters({ control, actors, actions }: AuditFiltersProps) {
  const { state, change, clear, isFiltered } = control;
  const [actor, setActor] = useFieldText(state.actor);
  const [action, setAction] = useFieldText(state.action);
  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    change({ actor: actor.trim() || undefined, action: action.trim() || undefined });
  };
  return (
    <form onSubmit={search} role="search" aria-label="Search the audit log" className="search-bar toolbar">
      <div className="toolbar-filters">
        <Autocomplete
          aria-label="Actor"
          placeholder="Anybody, or user:12"
          data={[...actors.keys()]}
          renderOption={({ option: { value } }) => optionText(value, actors.get(value))}
          filter={({ options }) => options}
          value={actor}
          onChange={setActor}
          onOptionSubmit={(chosen) => change({ actor: chosen })}
        />
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
          <Autocomplete
            aria-label="Action"
            placeholder="Any action, or sign-in"
            data={[...actions]}
            renderOption={({ option: { value } }) => optionText(value, securityActionText(value))}
            filter={({ options }) => options}
            value={action}
            onChange={setAction}
            onOptionSubmit={(chosen) => change({ action: chosen })}
          />
        )}
        <DayInput label="From" value={state.from} onChange={(from) => change({ from })} />
        <DayInput label="To" value={state.to} onChange={(to) => change({ to })} />
        <Button type="submit" variant="default" leftSection={<SearchIcon size={16} />}>
          Search
        </Button>
        {isFiltered ? (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </form>
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

/** What is typed, until the address says something else. */
function useFieldText(applied: string | undefined): [string, (text: string) => void] {
  const [typed, setTyped] = useState({ text: applied ?? '', applied });
  if (typed.applied !== applied) setTyped({ text: applied ?? '', applied });
  return [typed.text, (text) => setTyped({ text, applied })];
}
