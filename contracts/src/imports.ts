import type { ErrorDetail } from './envelope';

/** A problem of one line of an imported file. @public */
export interface ImportProblem extends ErrorDetail {
  /** From 1; of a CSV file the line on which the row begins. */
  readonly line: number;
  /** The refused value as text, its beginning where it is long; absent where there is none (additive). */
  readonly value?: string;
}

/** How far an import is. @public */
export interface ImportProgress {
  readonly items: number;
  readonly badItems: number;
  /** Bytes of the file that were read, and all of them. */
  readonly read: number;
  readonly size: number;
  /** Every line is sound and all of them are being kept: from here on it is too late to cancel. */
  readonly keeping: boolean;
}

/** The result of an import, or the expected one after a dry run. @public */
export interface ImportReport {
  readonly items: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly badItems: number;
  readonly problems: number;
  readonly dryRun: boolean;
  /** False after a dry run. */
  readonly kept: boolean;
  /** The first thousand problems; only a dry run has any, otherwise they are details of an error. */
  readonly details: readonly ImportProblem[];
}

/** A line of the answer to a client that asks for `application/x-ndjson`; the last one is the envelope of the whole. @public */
export type ImportLine =
  | { readonly progress: ImportProgress }
  | { readonly problem: ImportProblem }
  | { readonly data: ImportReport }
  | { readonly error: { readonly code: string; readonly message: string; readonly requestId: string } };
