import type { ExportCondition, ExportConditionGroup, TransferFormat } from '@gantry/host';

export interface ExportArguments {
  readonly type: string;
  /** `-` for standard output. */
  readonly file: string;
  readonly format: TransferFormat | undefined;
  readonly delimiter: string;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepEmpty: boolean;
  readonly where: readonly (ExportCondition | ExportConditionGroup)[];
}

export interface ExportRun extends ExportArguments {
  readonly format: TransferFormat;
  readonly signal: AbortSignal;
}

export interface ImportArguments {
  readonly type: string;
  /** `-` for standard input. */
  readonly file: string;
  readonly format: TransferFormat | undefined;
  readonly delimiter: string;
  readonly map: ReadonlyMap<string, string>;
  readonly set: ReadonlyMap<string, string>;
  readonly ignoreUnknown: boolean;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepIds: boolean;
  readonly keepEmpty: boolean;
  readonly match: readonly string[];
  readonly dryRun: boolean;
  /** File that gets every problem, one JSON object a line. */
  readonly report: string | undefined;
}

export interface ImportRun extends ImportArguments {
  readonly format: TransferFormat;
  readonly size: number | undefined;
  readonly signal: AbortSignal;
}
