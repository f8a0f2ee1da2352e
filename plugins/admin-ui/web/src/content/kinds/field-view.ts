import type { FormField, ItemMetadata, SearchField } from '@gantry/contracts';
import type { ValueProblem } from '@gantry/ui';
import type { ComponentType } from 'react';
import type { Item, FormValue } from '../../api/items';
import type { LazyComponent } from '../../ui/lazy-part';
import type { TableColumn } from '../list/columns/columns';

/** How the pages show the values of a field type. */
export interface FieldView {
  /** In a form. */
  readonly Control: ComponentType<ControlProps>;
  /** Of a control in a separate chunk. */
  readonly loader?: LazyComponent<ControlProps>['loader'];
  /** Where a value can be read but not changed. */
  readonly Locked: ComponentType<LockedProps>;
  /** In the table of items. Plain elements, as there are many. */
  readonly Cell: ComponentType<CellProps>;
  /** In the search bar. */
  readonly Filter: ComponentType<FilterProps>;
  /** The value of a filter that applies. */
  readonly FilterText: ComponentType<FilterTextProps>;
}

export interface ControlProps {
  /** Of the element in the page. */
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValue;
  readonly error: string | undefined;
  /** The same, one by one, where they are about parts of the value. */
  readonly problems?: readonly ValueProblem[] | undefined;
  /** Form values of the fields from which the value of a new item is derived. */
  readonly sources?: Readonly<Record<string, FormValue>> | undefined;
  onChange(value: FormValue): void;
}

export interface LockedProps {
  readonly field: FormField;
  readonly value: unknown;
}

export interface CellProps {
  readonly column: TableColumn;
  readonly item: Item;
  readonly metadata: ItemMetadata;
}

export interface FilterProps {
  readonly field: SearchField;
  readonly label: string;
  /** As a criterion has it; empty for none. */
  readonly value: string;
  onChange(value: string): void;
}

export interface FilterTextProps {
  readonly field: SearchField | undefined;
  readonly value: string;
}
