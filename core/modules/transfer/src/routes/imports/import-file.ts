import type { DetailCode, ImportLine, ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { GantryError, invalidParameter, type Logger, type RouteUpload } from '@gantry/plugin-api';
import type { z } from 'zod';
import { truncate } from '@gantry/core-common';
import type { CompiledItemType, Scope, BulkWriter } from '@gantry/core-content';
import { importItems } from '../../import/import-items';
import { TransferError } from '../../transfer-error';
import type { ImportOptions, ImportOutcome } from '../../import/import-options';
import type { TransferFormat } from '../../transfer-format';
import { type HostCall, createPieceQueue } from '@gantry/core-http';
import { bytesOfAnyFormat, formats, type importQuery } from '../transfer-schemas';
import type { ImportCapacity } from './import-capacity';
import { spoolBody, type SpooledBody } from './spool';

export interface ImportServices {
  readonly bulk: BulkWriter;
  readonly logger: Logger;
  readonly capacity: ImportCapacity;
  /** Folder for files while they are imported. */
  readonly spoolFolder: string;
  /** Bytes of a file at most. */
  readonly limit: number;
  /** Bytes of one item of such a file at most. */
  readonly maxLineLength: number;
}

/** The options of a request about its file. */
export interface Import {
  readonly scope: Scope;
  readonly type: CompiledItemType;
  readonly wanted: z.infer<typeof importQuery>;
  readonly file: RouteUpload | undefined;
}

type Call = Pick<HostCall, 'holder' | 'keepOpen' | 'failureOf'> & { readonly signal: AbortSignal };

/** Gets what is reported while a file is imported. */
type OnLine = (line: Extract<ImportLine, { readonly progress: unknown } | { readonly problem: unknown }>) => void;

/** Problems in the answer; all are counted. */
const maxProblems = 1000;
/** Milliseconds between two lines about the progress. */
const leastPauseMs = 100;

/**
 * Makes items of a file, all of them or none, by the rules of `gantry items import`. A client that closes the connection before the commit
 * cancels it, and nothing is written.
 * @throws GantryError VALIDATION_FAILED with the problems of the file, and what reading it throws
 */
export async function importFile(
  job: Import,
  { capacity, spoolFolder, ...services }: ImportServices,
  { holder, keepOpen, signal }: Omit<Call, 'failureOf'>,
  onLine: OnLine = () => undefined,
): Promise<ImportReport> {
  const format = formatOf(job);
  return capacity.receive(holder, job.file?.bytes ?? none(), async (bytes) => {
    const file = await spoolBody(bytes, spoolFolder);
    try {
      return await capacity.run(holder, () => {
        keepOpen();
        return importSpooled({ ...job, file, format }, services, signal, onLine);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      await file.close();
    }
  });
}

/**
 * The same with a report of its progress, a JSON object on each line: `progress` now and then, `problem` for a line that is wrong, and at
 * last the envelope that would have been the answer. Nothing waits for a client that does not read: it misses progress.
 */
export async function* openImport(job: Import, services: ImportServices, call: Call): AsyncGenerator<string, void> {
  const lines = createPieceQueue(call.signal);
  const send = (line: object): void => lines.add(`${JSON.stringify(line)}\n`);
  let lastAt = 0;
  let hasBegun = false;
  const importing = importFile(job, services, call, (line) => {
    if ('progress' in line) {
      const now = performance.now();
      const isDue = line.progress.keeping || now - lastAt >= leastPauseMs;
      if (!isDue || lines.waiting > 0) return;
      lastAt = now;
    }
    hasBegun = true;
    send(line);
  });
  // Only an answer that has begun has to end with the error; before that it is answered as any other.
  const ending = importing.then(
    (data) => send({ data }),
    (error: unknown) => {
      if (!hasBegun) throw error;
      if (!call.signal.aborted) send(withoutDetails(call.failureOf(error, services.logger)));
    },
  );
  void ending.catch(() => undefined).finally(() => lines.end());
  yield* lines;
  await ending;
}

/** The problems were sent line by line already. */
function withoutDetails({ error: { details: _reported, ...error } }: ReturnType<HostCall['failureOf']>): object {
  return { error };
}

interface SpooledImport extends Omit<Import, 'file'> {
  readonly file: SpooledBody;
  readonly format: TransferFormat;
}

async function importSpooled(
  { scope, type, wanted, file, format }: SpooledImport,
  { bulk, maxLineLength }: Pick<ImportServices, 'bulk' | 'maxLineLength'>,
  signal: AbortSignal,
  onLine: OnLine,
): Promise<ImportReport> {
  const details: ImportProblem[] = [];
  let progress: ImportProgress = { items: 0, badItems: 0, read: 0, size: file.size, keeping: false };
  const options: ImportOptions = {
    ...wanted,
    ...{ type, bulk, maxLineLength, signal, format },
    bytes: file.read((read) => {
      progress = { ...progress, read };
    }),
    onProblem(problem) {
      if (details.length === maxProblems) return;
      details.push(problem);
      onLine({ problem });
    },
    onProgress(items, badItems) {
      progress = { ...progress, items, badItems };
      onLine({ progress });
    },
    onKeep: () => onLine({ progress: { ...progress, keeping: true } }),
  };
  const outcome = await importItems(scope, options).catch((error: unknown) => {
    throw error instanceof TransferError ? fileProblem(type, error) : error;
  });
  if (outcome.problems > 0 && !wanted.dryRun) throw refusal(type, outcome, details);
  return { ...outcome, dryRun: wanted.dryRun, details };
}

function refusal(
  { descriptor }: CompiledItemType,
  { items, badItems }: ImportOutcome,
  details: readonly ImportProblem[],
): GantryError {
  const message = `Failed to import ${descriptor.displayName}: ${badItems} of ${items} items are not valid; nothing was written`;
  return new GantryError('VALIDATION_FAILED', message, { details });
}

function fileProblem({ descriptor }: CompiledItemType, error: TransferError): GantryError {
  const message = `Failed to import ${descriptor.displayName}: ${error.message} ${error.requestRemedy}`;
  return error.parameter === undefined
    ? new GantryError('BAD_REQUEST', message, { cause: error })
    : invalidParameter(error.parameter, message, undefined, error);
}

/** @throws GantryError UNSUPPORTED_MEDIA_TYPE, and BAD_REQUEST for a format that the file does not have */
function formatOf({ file, wanted }: Pick<Import, 'file' | 'wanted'>): TransferFormat {
  const { mediaType = '', charset = 'utf-8' } = file ?? {};
  const isNamed = mediaType === bytesOfAnyFormat;
  if (isNamed && wanted.format === undefined) {
    throw invalidParameter('format', `format must be given with ${mediaType}`, 'REQUIRED' satisfies DetailCode);
  }
  const format = isNamed ? wanted.format : formats[mediaType];
  if (format !== undefined && wanted.format !== undefined && wanted.format !== format) {
    throw invalidParameter('format', `format is ${wanted.format}, and the file is ${mediaType}`);
  }
  if (format !== undefined && /^utf-?8$/.test(charset)) return format;
  throw new GantryError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file must be in UTF-8; "${truncate(`${mediaType}; charset=${charset}`)}" was sent.`,
  );
}

async function* none(): AsyncGenerator<Uint8Array, void> {
  // A request without a body has no bytes.
}
