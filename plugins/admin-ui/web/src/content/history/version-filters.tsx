import type { ItemMetadata } from '@gantry/contracts';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ItemChange } from '../../api/changes';
import { actorText } from '../../ui/change-text';

/** Fewer versions are read faster than a choice is made. */
const fromVersions = 6;

interface Choice {
  readonly label: string;
  readonly any: string;
  readonly options: ReadonlyMap<string, string>;
  readonly value: string;
  onChange(value: string): void;
}

/** Choices of who and which field, and those of the loaded versions that they leave. */
export function useVersionFilters(metadata: ItemMetadata, changes: readonly ItemChange[]) {
  const [actor, setActor] = useState('');
  const [field, setField] = useState('');
  const names = new Map(metadata.fields.map(({ name, displayName }) => [name, displayName]));
  const choices: readonly Choice[] = [
    {
      label: 'Who',
      any: 'Everybody',
      options: new Map(changes.map((change) => [actorText(change), actorText(change)])),
      value: actor,
      onChange: setActor,
    },
    {
      label: 'Field',
      any: 'All fields',
      options: new Map(changes.flatMap(({ changed }) => changed.map((name) => [name, names.get(name) ?? name]))),
      value: field,
      onChange: setField,
    },
  ];
  return {
    shown: changes.filter(
      (change) => (actor === '' || actorText(change) === actor) && (field === '' || change.changed.includes(field)),
    ),
    filters: changes.length < fromVersions ? null : <VersionFilters choices={choices} />,
  };
}

function VersionFilters({ choices }: { readonly choices: readonly Choice[] }) {
  return (
    <div role="search" aria-label="Filter the versions" className="search-bar version-filters">
      {choices.map(({ label, any, options, value, onChange }) => (
        <NativeSelect
          key={label}
          aria-label={label}
          className="search-choice"
          data-chosen={value || undefined}
          data={[{ value: '', label: any }, ...[...options].map(([key, text]) => ({ value: key, label: text }))]}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ))}
    </div>
  );
}
