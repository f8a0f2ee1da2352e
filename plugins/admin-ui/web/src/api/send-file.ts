import { ApiError, unreachable } from './api-error';
import { readJson, refusal } from './request';

export interface Upload {
  readonly signal: AbortSignal;
  /** The part of the bytes that has been sent, from 0 to 1. */
  onProgress(sent: number): void;
}

/** Milliseconds without an answer. */
const answerTimeoutMs = 90_000;

/** Where a file is sent to, and in which words the page says that the path does not exist. */
export interface FileTarget {
  readonly path: string;
  readonly mediaType: string;
  readonly missing: string;
}

/**
 * Sends a file to be stored. Unlike `fetch`, XMLHttpRequest reports the progress.
 * @throws ApiError as for any request; an AbortError when the signal aborts
 */
export function sendFile<T>(file: File, target: FileTarget, { signal, onProgress }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', target.path);
    request.timeout = answerTimeoutMs;
    request.setRequestHeader('Content-Type', target.mediaType);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const json = readJson(request.responseText);
      if (request.status === 200 || request.status === 201) resolve((json as { data: T }).data);
      else reject(explained(refusal(request, json), file, target));
    });
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('timeout', () =>
      reject(new ApiError(0, 'TIMEOUT', 'The platform did not answer in time.')),
    );
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** In the words of the page what the platform says of any body at any path. */
function explained(error: ApiError, file: File, target: FileTarget): ApiError {
  const message = explanation(error, file, target);
  return message === undefined ? error : new ApiError(error.status, error.code, message, error);
}

function explanation({ status, message }: ApiError, file: File, { missing }: FileTarget): string | undefined {
  // The path does not exist if no plugin takes such files.
  if (status === 404) return missing;
  const most = status === 413 ? /^The body has more than (\d+) bytes/.exec(message)?.[1] : undefined;
  if (most === undefined) return undefined;
  return `The file has ${mebibytes(file.size)} MiB; the maximum is ${mebibytes(Number(most))} MiB. Make it smaller.`;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
