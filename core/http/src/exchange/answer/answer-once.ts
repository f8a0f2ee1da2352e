import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { DetailCode } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { AnsweredRequests } from '../../idempotency/answered-requests';
import type { RouteContract } from '@gantry/core-loader';
import { holderOf } from '../shared-resource';

/**
 * Works on a request, or gives the answer that it got when it came with the same `Idempotency-Key` before.
 * @param given what the request brings besides its path
 * @param stringify makes JSON of the data of an answer
 * @param work undefined where a handler returns nothing
 * @throws GantryError BAD_REQUEST for a key that is none, and what {@link AnsweredRequests.once} throws
 */
export function answerOnce<Answer extends object>(
  contract: Pick<RouteContract, 'idempotency' | 'operationId' | 'owner'>,
  requests: AnsweredRequests,
  exchange: Exchange,
  work: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const { idempotency } = contract;
  const key = idempotency === undefined ? undefined : readKey(exchange.request, idempotency === 'required');
  return key === undefined ? work() : answerKey(key, contract, requests, exchange, work);
}

async function answerKey<Answer extends object>(
  key: string,
  { operationId, owner = 'platform' }: Pick<RouteContract, 'operationId' | 'owner'>,
  requests: AnsweredRequests,
  { request, given, stringify }: Exchange,
  work: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const operation = `${owner} ${operationId}`;
  const hash = hashOf(request, given);
  const answer = await requests.once({ caller: holderOf(request), operation, key, hash }, async () => {
    const { data, ...others }: { readonly data?: unknown } = (await work()) ?? {};
    return JSON.stringify(data === undefined ? others : { ...others, json: stringify(data) });
  });
  return JSON.parse(answer) as Answer;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly given: unknown;
  readonly stringify: (data: unknown) => string;
}

const keySyntax = /^[\x21-\x7e]{1,200}$/;

/** With or without the quotes of a structured field. */
function readKey({ headers }: IncomingMessage, isRequired: boolean): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined && !isRequired) return undefined;
  const text = typeof header === 'string' ? header.trim().replace(/^"(.*)"$/, '$1') : '';
  if (keySyntax.test(text)) return text;
  const code = (text === '' ? 'REQUIRED' : 'PATTERN') satisfies DetailCode;
  const message = 'Idempotency-Key must be 1 to 200 characters of ASCII without blanks, such as a UUID';
  throw new GantryError('BAD_REQUEST', `${message}.`, { details: [{ path: 'Idempotency-Key', code, message }] });
}

function hashOf({ method, url, headers }: IncomingMessage, given: unknown): string {
  const precondition = [headers['if-match'], headers['if-none-match']];
  return createHash('sha256')
    .update(JSON.stringify([method, url, precondition, given]))
    .digest('hex');
}
