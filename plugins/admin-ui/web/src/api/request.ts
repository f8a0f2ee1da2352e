import type { PlatformFile } from '@gantry/client/platform';
import type { Failure } from '@gantry/contracts';
import { ApiError, unreachable } from './api-error';
import { parseJson, toJson } from './json';
import { noteOwnRequest } from './platform/own-requests';
import { askForPresence, presencePath } from './platform/presence';
import { notifySessionEnded } from './platform/session-ended';
import { notifyTypeGone } from './type-gone';

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Sent instead of a body. */
  readonly file?: PlatformFile;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How long the answer is waited for: a minute unless given. */
  readonly timeoutMs?: number;
}

export interface Answer<T> {
  readonly data: T;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** After this time a request counts as unanswered. */
const answerTimeoutMs = 60_000;

/**
 * Sends one request to the platform and opens the envelope.
 * @throws ApiError for a refusal (with its status and code) and for no answer (status 0); the signal's reason when aborted.
 */
export async function request<T>(path: string, wanted: Request = {}): Promise<Answer<T>> {
  const { method = 'GET', headers, signal, timeoutMs = answerTimeoutMs } = wanted;
  const { mediaType, body } = contentOf(wanted);
  const { response, text } = await send(path, timeoutMs, signal, {
    method,
    headers: { Accept: 'application/json', ...mediaType, ...headers },
    ...body,
  });
  const json = readJson(text);
  if (method !== 'GET') noteOwnRequest(response.headers.get('X-Request-Id'));
  // /readyz says with data and status 503 that something is not ready.
  if (!response.ok && !hasData(json)) {
    const refused = refusal(response, json);
    // Asking for the metadata is how a page makes sure of it.
    if (refused.code === 'TYPE_NOT_FOUND' && !path.endsWith('/metadata')) notifyTypeGone();
    if (refused.presence !== undefined && path !== presencePath) {
      if (await askForPresence(refused.presence)) return request(path, wanted);
      throw new ApiError(refused.status, refused.code, 'Nothing was changed: you did not confirm that it is you.');
    }
    if (refused.code === 'UNAUTHENTICATED' && !signInPaths.has(path)) {
      notifySessionEnded();
      throw new ApiError(refused.status, refused.code, 'The session has ended. Sign in again.');
    }
    throw refused;
  }
  const { data, meta } = (json ?? {}) as { data?: T; meta?: Readonly<Record<string, unknown>> };
  return { data: data as T, meta: meta ?? {} };
}

function contentOf({ body, file }: Request) {
  const [type, content] =
    file === undefined
      ? ['application/json', body === undefined ? undefined : toJson(body)]
      : [file.mediaType, file.content as Blob];
  return content === undefined ? {} : { mediaType: { 'Content-Type': type }, body: { body: content } };
}

/** There, it means that what the reader has typed is wrong. */
const signInPaths: ReadonlySet<string> = new Set(['/api/platform/session', '/api/platform/one-time-links']);

async function send(path: string, timeoutMs: number, signal: AbortSignal | undefined, init: RequestInit) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, {
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { response, text: await response.text() };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (timeout.aborted) {
      throw new ApiError(0, 'TIMEOUT', `The platform did not answer within ${timeoutMs / 1000} seconds.`);
    }
    throw unreachable();
  }
}

/** @returns undefined for what is no JSON */
export function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function hasData(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'data' in json;
}

/** The error of an answer that is no success. */
export function refusal(
  response: Pick<Response, 'status'> & Partial<Pick<Response, 'headers'>>,
  json: unknown,
): ApiError {
  const error = (json as Failure | undefined)?.error;
  const retryAfterMs = waitOf(response.headers?.get('Retry-After'));
  if (error === undefined) {
    const message = `The platform answered with status ${response.status}.`;
    return new ApiError(response.status, 'UNKNOWN', message, { retryAfterMs });
  }
  // A proxy, or the server before the platform is ready, numbers no requests.
  const requestId = error.requestId === 'none' ? undefined : error.requestId;
  return new ApiError(response.status, error.code, error.message, { ...error, requestId, retryAfterMs });
}

/** Of Retry-After only the seconds, as the platform sends them; a date is for far longer waits than a reader's. */
function waitOf(seconds: string | null | undefined): number | undefined {
  return seconds != null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
