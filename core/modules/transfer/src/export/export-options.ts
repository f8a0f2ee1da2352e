import type { Operator } from '@gantry/contracts';
import type { HostDatabase } from '@gantry/core-database';
import type { BoundCriterion, ItemTypeDescriptor } from '@gantry/core-content';
import type { TransferFormat } from '../transfer-format';

/** A condition of the exported items. A reference is given by key or id; `catalog.code` is a field of the item that `catalog` refers to. */
export interface ExportCondition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Conditions of which one, or all, must hold. */
export type ExportConditionGroup =
  | { readonly any: readonly (ExportCondition | ExportConditionGroup)[] }
  | { readonly all: readonly (ExportCondition | ExportConditionGroup)[] };

export interface ExportOptions {
  readonly type: ItemTypeDescriptor;
  readonly database: HostDatabase;
  readonly format: TransferFormat;
  /** Delimiter of a CSV file. */
  readonly delimiter: string;
  /** Items and references by id: for this database only. */
  readonly ids: boolean;
  /** Puts an apostrophe before text that a spreadsheet would run as a formula. */
  readonly safeCsv: boolean;
  /** Writes empty text as two quotes in a CSV file, and no value as an empty cell. */
  readonly keepEmpty?: boolean;
  /** All must hold. */
  readonly where: readonly (ExportCondition | ExportConditionGroup)[];
  /** Criteria that were read already; they must hold as well. */
  readonly criteria?: readonly BoundCriterion[];
  /** Only the items of these ids, as far as they exist. */
  readonly only?: readonly string[];
  /** Called after every batch with the items written so far. */
  readonly onProgress?: (items: number) => void;
  /** Called when the reader has taken too long and the export has ended; without it, a reader may take a day. */
  readonly onStalled?: () => void;
  readonly signal: AbortSignal;
}
