import type { Failure, ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { GantryError, invalidParameter, type Logger } from '@gantry/plugin-api';
import type { Request, RequestHandler, Response } from 'express';
import type { BulkWriter } from '../../../content/write/bulk/bulk-writer';
import type { CompiledItemType } from '../../../content/compile/descriptor';
import { assertMay, type Scope } from '../../../content/policy/scope';
import { importItems, TransferError, type ImportOptions, type ImportOutcome } from '../../../transfer';
import type { FindServedType, ScopeOf } from '../../exchange/request-scope';
import { failureOf, logFault, toProblem } from '../../exchange/problem';
import { sendData } from '../../exchange/send';
import { createImportCapacity } from './import-capacity';
import { type ImportRequest, parseImportRequest, progressType } from './import-request';
import { spoolBody, type SpooledBody } from './spool';
import type { ServerResponse } from 'node:http';

export interface ImportDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly bulk: BulkWriter;
  readonly logger: Logger;
  /** Folder for files while they are imported. */
  readonly spoolFolder: string;
  /** Bytes of a file at most. */
  readonly limit: number;
  /** Bytes of one item of such a file at most. */
  readonly maxLineLength: number;
}

/** Problems in the answer; all are counted. */
const maxProblems = 1000;

/**
 * `POST /api/cms/imports/{type}`: the file in the body becomes items, all of them or none, by the rules of
 * `gantry items import`. A client that closes the connection before the commit cancels it, and nothing is written.
 */
export function createImportHandler(dependencies: ImportDependencies): RequestHandler<{ type: string }> {
  const capacity = createImportCapacity(dependencies.limit);
  return async (request, response) => {
    const scope = dependencies.scopeOf(request);
    const type = dependencies.findType(scope, request.params.type);
    assertMay(scope, 'import', type);
    const wanted = parseImportRequest(request, dependencies.limit);
    await capacity.receive(request, wanted.bytes, async (bytes) => {
      const file = await spoolBody(bytes, dependencies.spoolFolder);
      try {
        await capacity.run(request, () => answer({ scope, type, wanted, file }, dependencies, request, response));
      } finally {
        await file.close();
      }
    });
  };
}

interface Import {
  readonly scope: Scope;
  readonly type: CompiledItemType;
  readonly wanted: ImportRequest;
  readonly file: SpooledBody;
}

async function answer(
  job: Import,
  dependencies: ImportDependencies,
  request: Request<{ type: string }>,
  response: Response,
) {
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new Error('The client closed the connection.'));
  response.once('close', onClose);
  if (response.destroyed) onClose();
  // Waiting for the database is no idling; Node sets the timeout of the connection again with its next request.
  request.socket.setTimeout(0);
  const lines = job.wanted.wantsProgress ? new ProgressLines(response) : undefined;
  try {
    const report = await importFile(job, dependencies, lines, gone.signal);
    if (lines === undefined) sendData(response, 200, JSON.stringify(report));
    else lines.end({ data: report });
  } catch (error) {
    if (gone.signal.aborted) return;
    // Only an answer that has begun has to end with the error; before that it is answered as any other.
    if (lines === undefined || !response.headersSent) throw error;
    logFault(dependencies.logger, request, error);
    lines.end(withoutDetails(failureOf(request, toProblem(error))));
  } finally {
    response.off('close', onClose);
  }
}

async function importFile(
  { scope, type, wanted, file }: Import,
  { bulk, maxLineLength }: ImportDependencies,
  lines: ProgressLines | undefined,
  signal: AbortSignal,
): Promise<ImportReport> {
  const details: ImportProblem[] = [];
  let progress: ImportProgress = { items: 0, badItems: 0, read: 0, size: file.size, keeping: false };
  const options: ImportOptions = {
    ...wanted,
    type,
    bulk,
    maxLineLength,
    signal,
    bytes: file.read((read) => {
      progress = { ...progress, read };
    }),
    onProblem(problem) {
      if (details.length === maxProblems) return;
      details.push(problem);
      lines?.problem(problem);
    },
    onProgress(items, badItems) {
      progress = { ...progress, items, badItems };
      lines?.progress(progress);
    },
    onKeep: () => lines?.progress({ ...progress, keeping: true }),
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

/** The problems were sent line by line already. */
function withoutDetails({ error: { details: _reported, ...error } }: Failure): Failure {
  return { error };
}

/**
 * Reports the progress to a client that requests it, a JSON object on each line: `progress` now and then, `problem` for a
 * line that is wrong, and at last the envelope that would have been the answer. Nothing waits for a client that does not read:
 * it misses progress.
 */
class ProgressLines {
  private lastAt = 0;

  constructor(private readonly response: ServerResponse) {}

  progress(progress: ImportProgress): void {
    const now = performance.now();
    const isDue = progress.keeping || now - this.lastAt >= leastPauseMs;
    if (!isDue || this.response.writableNeedDrain) return;
    this.lastAt = now;
    this.write({ progress });
  }

  problem(problem: ImportProblem): void {
    this.write({ problem });
  }

  end(envelope: { readonly data: ImportReport } | Failure): void {
    this.begin();
    this.response.end(`${JSON.stringify(envelope)}\n`);
  }

  private write(line: object): void {
    this.begin();
    this.response.write(`${JSON.stringify(line)}\n`);
  }

  private begin(): void {
    if (this.response.headersSent) return;
    this.response.statusCode = 200;
    this.response.setHeader('Content-Type', `${progressType}; charset=utf-8`);
  }
}

/** Between two lines about the progress. */
const leastPauseMs = 100;
