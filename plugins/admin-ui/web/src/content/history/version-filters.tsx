import type { ItemMetadata } from '@gantry/contracts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ItemChange } from '../../api/changes';
import { shortText } from '../../api/label';
import { hasWords } from '../../common/has-words';
import { actorText } from '../../ui/text/change-text';
import { SearchIcon } from '../../ui/icons';

/** Fewer versions are read faster than a choice is made. */
const fromVersions = 6;

interface Choice {
  readonly label: string;
  readonly any: string;
  readonly options: ReadonlyMap<string, string>;
  readonly value: string;
  onChange(value: string): void;
}

/** A text and choices of who and which field, and those of the loaded versions that they leave. */
export function useVersionFilters(metadata: ItemMetadata, changes: readonly ItemChange[]) {
  const [actor, setActor] = useState('');
  const [field, setField] = useState('');
  const [text, setText] = useState('');
  const names = new Map(metadata.fields.map(({ name, displayName }) => [name, displayName]));
  const choices: readonly Choice[] = [
    {
      label: 'Actor',
      any: 'Any actor',
      options: new Map(changes.map((change) => [actorText(change), actorText(change)])),
      value: actor,
      onChange: setActor,
    },
    {
      label: 'Field',
      any: 'Any field',
      options: new Map(changes.flatMap(({ changed }) => changed.map((name) => [name, names.get(name) ?? name]))),
      value: field,
      onChange: setField,
    },
  ];
  return {
    shown: changes.filter(
      (change) =>
        (actor === '' || actorText(change) === actor) &&
        (field === '' || change.changed.includes(field)) &&
        hasWords(textOf(change, names), text),
    ),
    filters: changes.length < fromVersions ? null : <VersionFilters choices={choices} text={text} onText={setText} />,
  };
}

/** Names and values of the fields that a change is about. */
function textOf({ changed, values, previous }: ItemChange, names: ReadonlyMap<string, string>): string {
  const parts = changed.flatMap((name) => [
    names.get(name) ?? name,
    shortText(values?.[name]),
    shortText(previous?.[name]),
  ]);
  return parts.join(' ');
}

interface VersionFiltersProps {
  readonly choices: readonly Choice[];
  readonly text: string;
  onText(text: string): void;
}

function VersionFilters({ choices, text, onText }: VersionFiltersProps) {
  return (
    <div role="search" aria-label="Filter the versions" className="version-filters">
      <TextInput
        type="search"
        aria-label="Filter versions"
        placeholder="Field or value"
        leftSection={<SearchIcon size={16} />}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {choices.map(({ label, any, options, value, onChange }) => (
        <NativeSelect
          key={label}
          aria-label={label}
          className="search-choice"
          data-chosen={value || undefined}
          data={[{ value: '', label: any }, ...[...options].map(([key, name]) => ({ value: key, label: name }))]}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ))}
    </div>
  );
}
