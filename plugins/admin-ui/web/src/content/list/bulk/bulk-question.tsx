import { Alert, Button, Group, Loader, Text, TextInput } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useState } from 'react';
import { WarningIcon } from '../../../ui/icons';
import { ErrorState } from '../../../ui/states';
import type { ListFilter } from '../../../api/items';
import { nameInSentence } from '../../name-in-sentence';
import { itemLabel } from '../../../api/label';
import type { Selection } from '../selection/use-selection';
import { deleting, type BulkAct } from './bulk-actions';
import type { BulkCount } from './use-bulk-count';

export interface BulkQuestionProps {
  readonly metadata: ItemMetadata;
  readonly selection: Selection;
  /** The filters of the list. */
  readonly filter: ListFilter;
  readonly count: BulkCount;
  /** Confirmed effects on other items, by the id of an item; more are added while the action runs. */
  readonly confirmed: ReadonlyMap<string, string>;
  onStart(act: BulkAct): void;
  onClose(): void;
}

/** Names count and type before anything is deleted. */
export function DeleteQuestion({ metadata, selection, count, confirmed, onStart, onClose }: BulkQuestionProps) {
  return (
    <>
      <Text>
        {deletionQuestion(metadata, selection, count)} {metadata.displayNamePlural} still in use are skipped and listed.
      </Text>
      <Names selection={selection} />
      <Buttons
        label={count.value === undefined ? 'Delete' : `Delete ${counted(metadata, count.value)}`}
        dangerous
        count={count}
        onStart={() => onStart(deleting(metadata, confirmed))}
        onClose={onClose}
      />
    </>
  );
}

function deletionQuestion(metadata: ItemMetadata, selection: Selection, count: BulkCount): string {
  const what = subject(metadata, selection, count);
  return `Delete ${what.startsWith('All ') ? what.replace('All ', 'all ') : what}?`;
}

/** Items of the action, as the beginning of a sentence. */
export function subject(metadata: ItemMetadata, selection: Selection, { value }: BulkCount): string {
  if (selection.kind !== 'matches') return counted(metadata, selection.items.size);
  const count = value === undefined ? '' : `${value.toLocaleString()} `;
  return `All ${count}${nameInSentence(metadata.displayNamePlural)} that match the filters`;
}

/** `1 product`, `12 products` */
export function counted({ displayName, displayNamePlural }: ItemMetadata, count: number): string {
  return count === 1
    ? `1 ${nameInSentence(displayName)}`
    : `${count.toLocaleString()} ${nameInSentence(displayNamePlural)}`;
}

const maxNames = 5;

function Names({ selection }: { readonly selection: Selection }) {
  if (selection.kind === 'matches') return null;
  const shown = [...selection.items.values()].slice(0, maxNames);
  const more = selection.items.size - shown.length;
  return (
    <ul className="long-text">
      {shown.map((item) => (
        <li key={item.id}>
          <bdi>{itemLabel(item).slice(0, 80)}</bdi> ({item.id})
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString()} more</li> : null}
    </ul>
  );
}

interface ButtonsProps {
  readonly label: string;
  readonly dangerous?: boolean;
  readonly count: BulkCount;
  /** Whether everything that the action needs was entered; true unless given. */
  readonly isComplete?: boolean;
  onStart(): void;
  onClose(): void;
}

/** An action on more items than these has to be confirmed by typing their number. */
const untypedMax = 100;

/** The action cannot begin before the number of its items is known. */
export function Buttons({ label, dangerous = false, count, isComplete = true, onStart, onClose }: ButtonsProps) {
  const [typed, setTyped] = useState('');
  const isLarge = (count.value ?? 0) > untypedMax;
  const isConfirmed = !isLarge || typed.replaceAll(/\D/g, '') === String(count.value);
  return (
    <>
      {isLarge ? (
        <TextInput
          mt="sm"
          label={`Type ${count.value} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      {count.error === null ? null : (
        <ErrorState error={count.error} title="The items could not be counted" onRetry={count.retry} />
      )}
      {count.value === 0 ? (
        <Alert color="yellow" icon={<WarningIcon />} title="No item matches the filters now" />
      ) : null}
      <Group justify="flex-end" mt="md">
        {count.value === undefined && count.error === null ? <Loader size={18} aria-label="Counting" /> : null}
        <Button variant="default" onClick={onClose} data-autofocus={dangerous || undefined}>
          Cancel
        </Button>
        <Button
          onClick={onStart}
          disabled={count.value === undefined || count.value === 0 || !isComplete || !isConfirmed}
          {...(dangerous ? { color: 'red' } : {})}
        >
          {label}
        </Button>
      </Group>
    </>
  );
}
