import type { ImportProblem } from '@gantry/contracts';
import type { BulkWriter, CompiledItemType } from '@gantry/core-content';
import type { TransferFormat } from '../transfer-format';

/** How the columns or keys of a file become fields. */
export interface MappingOptions {
  /** Field by the name of a column or key that is called otherwise; an empty text leaves the column out. */
  readonly map: ReadonlyMap<string, string>;
  /** Text by field, the same for every item; wins over what the file has. */
  readonly set: ReadonlyMap<string, string>;
  /** Leaves columns and keys out that are no field. */
  readonly ignoreUnknown: boolean;
}

export interface ImportOptions extends MappingOptions {
  readonly type: CompiledItemType;
  readonly bulk: BulkWriter;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: TransferFormat;
  /** Delimiter of a CSV file. */
  readonly delimiter: string;
  /** Bytes of one item at most; unless given, {@link defaultImportLineLimit}. */
  readonly maxLineLength?: number;
  /** References are ids, not keys. */
  readonly ids: boolean;
  /** The CSV file was written with `safeCsv`: takes the apostrophes before formulas away again. */
  readonly safeCsv: boolean;
  /** In the CSV file, two quotes are empty text, and an empty cell is no value; else both are no value. */
  readonly keepEmpty?: boolean;
  /** Gives new items the ids that they have in the file; references are ids, too. */
  readonly keepIds?: boolean;
  /** Fields by which items are found that are there already and then changed; empty when every item is a new one. */
  readonly match: readonly string[];
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  readonly onProblem: (problem: ImportProblem) => void;
  /** Called after every batch with the items read so far. */
  readonly onProgress?: (items: number, badItems: number) => void;
  /** Called when everything was sound, right before it is kept: from then on it is too late to abort. */
  readonly onKeep?: () => void;
  readonly signal: AbortSignal;
}

export interface ImportOutcome {
  readonly items: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly badItems: number;
  readonly problems: number;
  /** False after a dry run, and when anything was wrong: then nothing was written. */
  readonly kept: boolean;
}
