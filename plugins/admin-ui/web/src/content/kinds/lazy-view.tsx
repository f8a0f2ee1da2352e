import { Skeleton } from '@mantine/core';
import type { CmsFieldType } from '@gantry/contracts';
import { shortText } from '../../api/label';
import { lazyPart } from '../../ui/lazy-part';
import type { CellProps, ControlProps, FieldView, FilterProps, FilterTextProps, LockedProps } from './field-view';

const always = (): boolean => true;

/** A view in a separate chunk. Until it is loaded, values are shown as text. */
export function lazyView(type: CmsFieldType, load: () => Promise<FieldView>): FieldView {
  const Control = lazyPart<ControlProps>(
    async () => (await load()).Control,
    always,
    () => <Skeleton height={58} />,
  );
  return {
    type,
    Control,
    prepare: Control.prepare,
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
