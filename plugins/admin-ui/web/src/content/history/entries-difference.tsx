import type { FormField } from '@gantry/contracts';
import { toJson } from '../../api/json';
import { entryText } from '../kinds/entries-view';

interface EntriesDifferenceProps {
  readonly field: FormField;
  readonly before: unknown;
  readonly after: unknown;
}

/** How a list of entries changed: by what came and went. */
export function EntriesDifference({ field, before, after }: EntriesDifferenceProps) {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const removed = without(old, now);
  const added = without(now, old);
  const kept = now.length - added.length;
  const isMoved = removed.length === 0 && added.length === 0;
  const items = [
    ...removed.map((entry) => ({ kind: 'removed', label: 'Removed: ', entry })),
    ...added.map((entry) => ({ kind: 'added', label: 'Added: ', entry })),
  ];
  return (
    <ul className="value-list list-difference">
      {items.map(({ kind, label, entry }, index) => (
        <li key={index} data-kind={kind}>
          <span className="visually-hidden">{label}</span>
          <bdi className="long-text">{entryText(field, entry)}</bdi>
        </li>
      ))}
      {isMoved ? <li>Order changed: {now.map((entry) => entryText(field, entry)).join('; ')}</li> : null}
      {kept > 0 && !isMoved ? <li className="no-value">{kept.toLocaleString()} unchanged</li> : null}
    </ul>
  );
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Entries of a list that are not in the other, where each entry counts once. */
function without(entries: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const left = others.map((entry) => toJson(entry));
  return entries.filter((entry) => {
    const index = left.indexOf(toJson(entry));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
