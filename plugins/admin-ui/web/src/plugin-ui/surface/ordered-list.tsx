import type { OrderedListProps } from '@gantry/ui';
import { OrderedList as List } from '../../ui/ordered-list';

export function OrderedList<T>({ label, entries, idOf, nameOf, onChange, renderEntry }: OrderedListProps<T>) {
  return (
    <List
      label={label}
      entries={entries}
      idOf={idOf}
      nameOf={nameOf}
      onChange={onChange}
      renderEntry={(entry) => <div className="ordered-content">{renderEntry(entry)}</div>}
    />
  );
}
