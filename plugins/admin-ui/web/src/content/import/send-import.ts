import type { Failure, ImportLine, ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { ApiError } from '../../api/api-error';

export interface ImportSending {
  readonly path: string;
  readonly mediaType: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Bytes that have left the browser. */
  onSent(bytes: number): void;
  onProgress(progress: ImportProgress): void;
  onProblem(problem: ImportProblem): void;
}

/**
 * Sends a file and follows what the platform says about it, line by line. Aborting before the platform keeps the items
 * leaves nothing behind.
 * @throws ApiError; the signal's reason when it aborts
 */
export function sendImport(sending: ImportSending): Promise<ImportReport> {
  // fetch() does not report how much of a body has been sent.
  const request = new XMLHttpRequest();
  const lines = new LineReader(sending);
  return new Promise((resolve, reject) => {
    const stop = (): void => request.abort();
    sending.signal.addEventListener('abort', stop, { once: true });
    request.upload.addEventListener('progress', ({ loaded }) => sending.onSent(loaded));
    request.addEventListener('progress', () => {
      if (isStream(request)) lines.read(request.responseText);
    });
    request.addEventListener('abort', () => reject(new Error('The import was cancelled.')));
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('loadend', () => sending.signal.removeEventListener('abort', stop));
    request.addEventListener('load', () => {
      if (!isStream(request)) return reject(refusal(request));
      lines.read(`${request.responseText}\n`);
      const { last } = lines;
      if (last === undefined) reject(unreachable());
      else if ('error' in last) reject(failure(request.status, last as Failure));
      else if ('data' in last) resolve(last.data);
    });
    request.open('POST', sending.path);
    request.setRequestHeader('Content-Type', sending.mediaType);
    request.setRequestHeader('Accept', streamType);
    request.send(sending.file);
  });
}

const streamType = 'application/x-ndjson';

function isStream(request: XMLHttpRequest): boolean {
  return (request.getResponseHeader('Content-Type') ?? '').startsWith(streamType);
}

/** Takes the lines of a text that grows. */
class LineReader {
  /** The envelope, once it has come. */
  last: Extract<ImportLine, { data: unknown } | { error: unknown }> | undefined;
  private position = 0;

  constructor(private readonly sending: ImportSending) {}

  read(text: string): void {
    for (let end = text.indexOf('\n', this.position); end >= 0; end = text.indexOf('\n', this.position)) {
      const line = text.slice(this.position, end);
      this.position = end + 1;
      if (line !== '') this.take(JSON.parse(line) as ImportLine);
    }
  }

  private take(line: ImportLine): void {
    if ('progress' in line) this.sending.onProgress(line.progress);
    else if ('problem' in line) this.sending.onProblem(line.problem);
    else this.last = line;
  }
}

function refusal(request: XMLHttpRequest): ApiError {
  try {
    return failure(request.status, JSON.parse(request.responseText) as Failure);
  } catch {
    return new ApiError(request.status, 'UNKNOWN', `The platform answered with status ${request.status}.`);
  }
}

function failure(status: number, { error }: Failure): ApiError {
  return new ApiError(status, error.code, error.message, error);
}

function unreachable(): ApiError {
  const message = 'The connection to the platform was lost. Check the list: the items may have been imported.';
  return new ApiError(0, 'UNREACHABLE', message);
}
