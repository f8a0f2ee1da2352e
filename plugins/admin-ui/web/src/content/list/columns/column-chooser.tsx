import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { Dialog } from '../../../ui/dialog';
import { OrderedList } from '../../../ui/ordered-list';
import { availableColumns, defaultColumns, resolveColumns } from './columns';

export interface ColumnChooserProps {
  readonly metadata: ItemMetadata;
  readonly opened: boolean;
  /** The names of the columns in sight, in order. */
  readonly columns: readonly string[];
  /** Shows columns, for this address only or for every visit of the list. Rejects when they cannot be kept. */
  onChoose(columns: readonly string[], keep: boolean): Promise<void>;
  onClose(): void;
}

/** Chooses which columns are shown between the identifier and the actions, and in which order. */
export function ColumnChooser({ opened, onClose, ...props }: ColumnChooserProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Columns">
      {opened ? <Choice {...props} onClose={onClose} /> : null}
    </Dialog>
  );
}

interface Choosable {
  readonly name: string;
  readonly displayName: string;
  readonly chosen: boolean;
}

function Choice({ metadata, columns, onChoose, onClose }: Omit<ColumnChooserProps, 'opened'>) {
  const [entries, setEntries] = useState(() => choosable(metadata, columns));
  const [problem, setProblem] = useState<string>();
  const show = async (keep: boolean): Promise<void> => {
    try {
      await onChoose(
        entries.filter(({ chosen }) => chosen).map(({ name }) => name),
        keep,
      );
      onClose();
    } catch (error) {
      setProblem(`The columns are shown, but could not be saved: ${messageOf(error)}`);
    }
  };
  const count = entries.filter(({ chosen }) => chosen).length;
  const every = count === entries.length;
  return (
    <>
      <Checkbox
        mb="sm"
        ps={27}
        label="All columns"
        checked={every}
        indeterminate={count > 0 && !every}
        onChange={() => setEntries(entries.map((entry) => ({ ...entry, chosen: !every })))}
      />
      <OrderedList
        label="Columns in order"
        className="column-choice"
        entries={entries}
        idOf={({ name }) => name}
        nameOf={({ displayName }) => displayName}
        onChange={setEntries}
        renderEntry={(entry) => (
          <Checkbox
            className="label"
            label={entry.displayName}
            checked={entry.chosen}
            onChange={(event) => setEntries(ticked(entries, entry.name, event.currentTarget.checked))}
          />
        )}
      />
      {problem === undefined ? null : (
        <Text c="error" size="sm" role="alert" mt="xs">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="subtle" mr="auto" onClick={() => setEntries(choosable(metadata, defaultColumns(metadata)))}>
          Reset
        </Button>
        <Button variant="default" onClick={() => void show(false)}>
          Apply once
        </Button>
        <Button onClick={() => void show(true)}>Save as my default</Button>
      </Group>
    </>
  );
}

/** The columns in sight in their order, then the others. */
function choosable(metadata: ItemMetadata, columns: readonly string[]): readonly Choosable[] {
  const shown = resolveColumns(metadata, columns).columns;
  const others = availableColumns(metadata).filter(({ name }) => !shown.some((column) => column.name === name));
  return [
    ...shown.map((column) => ({ ...column, chosen: true })),
    ...others.map((column) => ({ ...column, chosen: false })),
  ];
}

function ticked(entries: readonly Choosable[], name: string, chosen: boolean): readonly Choosable[] {
  return entries.map((entry) => (entry.name === name ? { ...entry, chosen } : entry));
}
