import { ApiError, unreachable } from './api-error';
import { readJson, refusal } from './request';

/** What the platform answers to an upload. */
export interface UploadedImage {
  /** The value for an IMAGE field. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export interface Upload {
  readonly signal: AbortSignal;
  /** The part of the bytes that has been sent, from 0 to 1. */
  onProgress(sent: number): void;
}

/** Milliseconds without an answer. */
const answerTimeoutMs = 90_000;

/**
 * Sends a file to be stored as an image. Unlike `fetch`, XMLHttpRequest reports the progress.
 * @throws ApiError as for any request; an AbortError when the signal aborts
 */
export function uploadImage(file: File, { signal, onProgress }: Upload): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/media/images');
    request.timeout = answerTimeoutMs;
    request.setRequestHeader('Content-Type', file.type.startsWith('image/') ? file.type : 'application/octet-stream');
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const json = readJson(request.responseText);
      if (request.status === 200 || request.status === 201) resolve((json as { data: UploadedImage }).data);
      else reject(explained(refusal(request, json), file));
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
function explained(error: ApiError, file: File): ApiError {
  const message = explanation(error, file);
  return message === undefined ? error : new ApiError(error.status, error.code, message, error);
}

function explanation({ status, message }: ApiError, file: File): string | undefined {
  // The path does not exist if no plugin takes images.
  if (status === 404) {
    return 'Images cannot be uploaded here, because the plugin media is not in use. An address can still be typed.';
  }
  const most = status === 413 ? /^The body has more than (\d+) bytes/.exec(message)?.[1] : undefined;
  if (most === undefined) return undefined;
  return `The file has ${mebibytes(file.size)} MiB; the maximum is ${mebibytes(Number(most))} MiB. Make it smaller.`;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
