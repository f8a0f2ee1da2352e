import type { ErrorDetail } from '@gantry/contracts';
import type { CompiledItemType } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import type { NewValues } from '../values/free-values';

/** An item that conflicts with one to be written: it has the same values in fields that are unique together. */
export interface Collision {
  readonly id: string;
  readonly fields: readonly string[];
}

/** The outcome of one row. */
export type BulkOutcome =
  | { readonly status: 'written'; readonly id: string }
  | { readonly status: 'refused'; readonly problems: readonly ErrorDetail[]; readonly collision?: Collision };

/** Changes of one existing item: only the fields that really change. */
export interface BulkChange {
  readonly id: string;
  readonly values: StoredValues;
  /** The transaction has created the item, and completes it: by the right to create it. */
  readonly isNew?: boolean;
}

/** Many writes in one transaction, in one scope. A row that is refused leaves the others as they are. */
export interface BulkTransaction {
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** Values come from parseNewItem without problems; references were looked up. One outcome a row, in order. */
  insert(
    type: CompiledItemType,
    rows: readonly NewValues[],
    /** The ids of the new items, in the same order; else they get the next ones. */
    ids?: readonly string[],
  ): Promise<readonly BulkOutcome[]>;
  /**
   * Takes ids out of those that new items get. Other transactions see it at once, and it stays when this one is undone.
   * @throws GantryError FORBIDDEN for a policy that has no right to create items
   */
  reserveIds(type: CompiledItemType, ids: readonly string[]): Promise<void>;
  update(type: CompiledItemType, changes: readonly BulkChange[]): Promise<readonly BulkOutcome[]>;
}
