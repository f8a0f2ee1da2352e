import { setTimeout as delay } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly error?: { readonly code: string } };
}

/** Statuses that the world outside is meant to answer by asking again later. */
const later: readonly number[] = [429, 500, 502, 503, 504];

const askEveryMs = 400;

/**
 * Sends a request as an outside system does that wants it done: again and again while the platform is away.
 * @param until which other answers to wait for
 */
export async function insist(
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  options: { readonly body?: object; readonly until?: (answer: Answer) => boolean; readonly timeoutMs?: number } = {},
): Promise<Answer> {
  const { body, until = () => true, timeoutMs = 90_000 } = options;
  const end = Date.now() + timeoutMs;
  let last = 'nothing';
  while (Date.now() < end) {
    try {
      const answer = await send(method, url, body);
      if (!later.includes(answer.status) && until(answer)) return answer;
      last = `${answer.status} ${JSON.stringify(answer.body)}`;
    } catch (error) {
      last = String(error);
    }
    await delay(askEveryMs + Math.random() * askEveryMs);
  }
  throw new Error(`${method} ${url} was not answered as it should be; the last answer was ${last}`);
}

async function send(method: string, url: string, body: object | undefined): Promise<Answer> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...content, signal: AbortSignal.timeout(15_000) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
