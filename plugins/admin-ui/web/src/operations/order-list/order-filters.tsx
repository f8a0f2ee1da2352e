import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useRef, useState, type SyntheticEvent } from 'react';
import { SearchIcon } from '../../ui/icons';
import { useCharacterKey } from '../../ui/keys/use-character-key';
import { isIdPrefix, periods, type OrderListControl } from './order-list-state';
import { stepLabels, stepsOfGroup } from './order-texts';

/** Narrows the list down. Text is taken over with Enter, choices at once. */
export function OrderFilters({ control }: { readonly control: OrderListControl }) {
  const { state, change, clear, isFiltered } = control;
  const [typed, setTyped] = useState({ text: state.id ?? '', applied: state.id });
  if (typed.applied !== state.id) setTyped({ text: state.id ?? '', applied: state.id });
  const field = useRef<HTMLInputElement>(null);
  useCharacterKey('/', () => field.current?.focus());
  const id = typed.text.trim();
  const wrong = id === '' || isIdPrefix(id) ? undefined : 'Letters, digits, dots, underscores and hyphens only';
  const steps = stepsOfGroup[state.group ?? 'all'];
  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (wrong === undefined) change({ id: id === '' ? undefined : id });
  };
  return (
    <form onSubmit={search} role="search" aria-label="Search orders" className="search-bar toolbar">
      <div className="toolbar-filters">
        <TextInput
          ref={field}
          className="search-text"
          aria-label="Order id begins with"
          placeholder="Search by order id"
          leftSection={<SearchIcon size={16} />}
          maxLength={64}
          value={typed.text}
          error={wrong}
          onChange={(event) => setTyped({ text: event.currentTarget.value, applied: state.id })}
        />
        {steps.length === 0 ? null : (
          <NativeSelect
            aria-label="Step"
            className="search-choice"
            data-chosen={state.step}
            data={[
              { value: '', label: 'Any step' },
              ...steps.map((step) => ({ value: step, label: stepLabels[step] })),
            ]}
            value={state.step ?? ''}
            onChange={(event) => change({ step: steps.find((step) => step === event.currentTarget.value) })}
          />
        )}
        <NativeSelect
          aria-label="Since"
          className="search-choice"
          data-chosen={state.since}
          data={[{ value: '', label: 'Any time' }, ...periods.map(({ value, label }) => ({ value, label }))]}
          value={state.since ?? ''}
          onChange={(event) =>
            change({ since: periods.find(({ value }) => value === event.currentTarget.value)?.value })
          }
        />
        {isFiltered ? (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </form>
  );
}
