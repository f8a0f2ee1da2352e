import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core';
import { workflowStatuses, workflowTypes, type WorkflowStatus } from '@gantry/contracts';
import { useRef, useState, type SyntheticEvent } from 'react';
import { SearchIcon } from '../../ui/icons';
import { useCharacterKey } from '../../ui/keys/use-character-key';
import { sentenceCase } from '../ui/sentence-case';
import { isSearchableId, periods, type WorkflowListControl } from './list-state';

/** Narrows the list down. Text is taken over with Enter, choices at once. */
export function WorkflowFilters({ control }: { readonly control: WorkflowListControl }) {
  const { state, change, clear, filtered } = control;
  const [id, setId] = useFieldText(state.id);
  const [type, setType] = useFieldText(state.type);
  const idField = useRef<HTMLInputElement>(null);
  useCharacterKey('/', () => idField.current?.focus());
  const wrong =
    id.trim() !== '' && !isSearchableId(id.trim())
      ? 'Without quotes and backslashes, at most 200 characters'
      : undefined;
  const wrongType = type.trim() !== '' && !isSearchableId(type.trim()) ? 'Without quotes and backslashes' : undefined;
  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (wrong === undefined && wrongType === undefined) {
      change({ id: id.trim() || undefined, type: type.trim() || undefined });
    }
  };
  return (
    <form onSubmit={search} role="search" aria-label="Search workflows" className="search-bar toolbar">
      <div className="toolbar-filters">
        <TextInput
          ref={idField}
          className="search-text"
          leftSection={<SearchIcon size={16} />}
          aria-label="Id begins with"
          placeholder="Id begins with …"
          value={id}
          error={wrong}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <Autocomplete
          aria-label="Type"
          className="workflow-type"
          placeholder="Any type"
          data={Object.values(workflowTypes)}
          value={type}
          error={wrongType}
          onChange={setType}
          onOptionSubmit={(chosen) => change({ type: chosen })}
        />
        <NativeSelect
          aria-label="Status"
          className="search-choice"
          data-chosen={state.status}
          data={[
            { value: '', label: 'Any status' },
            ...workflowStatuses.map((status) => ({ value: status, label: sentenceCase(status) })),
          ]}
          value={state.status ?? ''}
          onChange={(event) =>
            change({ status: (event.currentTarget.value || undefined) as WorkflowStatus | undefined })
          }
        />
        <NativeSelect
          aria-label="Started"
          className="search-choice"
          data-chosen={state.started}
          data={[{ value: '', label: 'Started any time' }, ...periods.map(({ value, label }) => ({ value, label }))]}
          value={state.started ?? ''}
          onChange={(event) => change({ started: event.currentTarget.value || undefined })}
        />
        {/* With two fields, the Enter key needs a button. */}
        <button type="submit" hidden>
          Search
        </button>
        {filtered ? (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** The typed text, until the address changes. */
function useFieldText(applied: string | undefined): [string, (text: string) => void] {
  const [typed, setTyped] = useState({ text: applied ?? '', applied });
  if (typed.applied !== applied) setTyped({ text: applied ?? '', applied });
  return [typed.text, (text) => setTyped({ text, applied })];
}
