import { shortText } from '../../api/label';
import { lazyPart } from '../../ui/lazy-part';
import type { CellProps, FieldView, FilterProps, FilterTextProps, LockedProps } from './field-view';
import { lazyControl } from './lazy-control';

const always = (): boolean => true;

/** A view in a separate chunk. Until it is loaded, values are shown as text. */
export function lazyView(load: () => Promise<FieldView>): FieldView {
  const Control = lazyControl(async () => (await load()).Control);
  return {
    Control,
    loader: Control.loader,
    Locked: lazyPart<LockedProps>(
      async () => (await load()).Locked,
      always,
      ({ value }) => shortText(value),
    ),
    Cell: lazyPart<CellProps>(
      async () => (await load()).Cell,
      always,
      ({ column, item }) => shortText(item.values[column.name]),
    ),
    Filter: lazyPart<FilterProps>(async () => (await load()).Filter, always),
    FilterText: lazyPart<FilterTextProps>(
      async () => (await load()).FilterText,
      always,
      ({ value }) => value,
    ),
  };
}
