import { setTimeout as delay } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly error?: { readonly code: string; readonly message: string } };
}

/** A request as an outside system sends it that wants something done. */
export interface Errand {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly body?: object;
  /** Statuses that settle it. */
  readonly done: readonly number[];
  /** Statuses that settle it when an earlier attempt was cut off, because that one may have done it. */
  readonly doneBefore?: readonly number[];
  /** Statuses that mean: not yet. */
  readonly early?: readonly number[];
}

/** Between two attempts; a hundred orders asking all the time would be a test of something else. */
const askEveryMs = 1_000;
const requestTimeoutMs = 30_000;
/** Six starts of a host, one after the other, can be in between, each of half a minute where many others compute too. */
const settleTimeoutMs = 360_000;

/**
 * Sends a request until it is settled. A connection that breaks and a 503 mean asking again; every other answer that is
 * not expected, a 500 above all, is a fault.
 */
export async function insist(errand: Errand, signal: AbortSignal): Promise<Answer> {
  const { method, url, done, doneBefore = [], early = [] } = errand;
  const end = performance.now() + settleTimeoutMs;
  let last = 'nothing';
  let wasCutOff = false;
  while (performance.now() < end) {
    const answer = await send(errand).catch((error: unknown) => String(error));
    if (typeof answer === 'string') {
      wasCutOff = true;
      last = answer;
    } else {
      if (done.includes(answer.status) || (wasCutOff && doneBefore.includes(answer.status))) return answer;
      last = `${answer.status} ${JSON.stringify(answer.body)}`;
      if (answer.status === 503) wasCutOff = true;
      else if (!early.includes(answer.status)) throw new Error(`${method} ${url} was answered with ${last}`);
    }
    await delay(askEveryMs + Math.random() * askEveryMs, undefined, { signal });
  }
  throw new Error(`${method} ${url} was not settled within ${settleTimeoutMs / 1_000} s; the last answer was ${last}`);
}

async function send({ method, url, body }: Errand): Promise<Answer> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...content, signal: AbortSignal.timeout(requestTimeoutMs) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
