import { lookup as lookupAddress, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describeError, truncate } from '@gantry/core-common';
import { Webhook as Signer } from 'standardwebhooks';
import type * as Undici from 'undici';
import { assertPublicHost, isPublicAddress, PrivateAddressError } from './address-check';

/** A request to a webhook. */
export interface WebhookRequest {
  readonly url: string;
  /** The same for all attempts with a change. */
  readonly webhookId: string;
  readonly body: string;
  /** The first one is the present one; requests are signed with all of them. */
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The outcome of a request. */
export interface WebhookAnswer {
  /** Whether the receiver has taken it: a status from 200 to 299. */
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the body. */
  readonly answer: string | null;
  /** Unix time before which the receiver wants no other request. */
  readonly notBefore?: number;
}

/** Sends requests of webhooks. */
export interface WebhookSender {
  /** Never rejects. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

export interface WebhookSenderOptions {
  /** Whether requests may go to loopback and private addresses. */
  readonly allowPrivateAddresses: boolean;
  /** For `User-Agent`. */
  readonly version: string;
  /** Milliseconds for a whole request; 10 s unless given. */
  readonly timeoutMs?: number;
  /** Finds the addresses of a name; that of Node.js unless given. */
  readonly lookup?: LookupFunction;
}

/** Of all requests. */
export const contentType = 'application/cloudevents+json; charset=utf-8';
const connectTimeoutMs = 5_000;
const defaultTimeoutMs = 10_000;
/** Connections to one receiver: as many as there are requests at the same time. */
const maxConnections = 32;
const maxHeaderBytes = 16 * 1024;
/** Of an answer so much is read; a longer one closes its connection. */
const maxAnswerBytes = 64 * 1024;
/** Of an answer so much is kept. */
const keptAnswer = 1_000;
/** A receiver can ask for a pause of an hour at most. */
const maxPauseMs = 60 * 60_000;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { timeoutMs = defaultTimeoutMs, version } = options;
  let client: Promise<WebhookClient> | undefined;
  return {
    async send({ url, webhookId, body, secrets, headers, signal }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const { agent, request } = await (client ??= createClient(options));
        const {
          statusCode,
          headers: answered,
          body: answer,
        } = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            ...headers,
            'content-type': contentType,
            'user-agent': `Gantry/${version}`,
            ...signatureOf(webhookId, new Date(), body, secrets),
          },
          body,
          signal: AbortSignal.any([signal, timeout]),
        });
        return answerOf(statusCode, answered, await readAnswer(answer));
      } catch (error) {
        const reason = timeout.aborted ? `No answer within ${timeoutMs / 1_000} s.` : reasonOf(error);
        return { isDelivered: false, status: null, error: reason, answer: null };
      }
    },
    async close() {
      await (await client)?.agent.destroy();
    },
  };
}

interface WebhookClient {
  readonly agent: Undici.Dispatcher;
  readonly request: typeof Undici.request;
}

/** Loads the HTTP client with the first request: its 110 modules take a twelfth of the start of a host, and many send none. */
async function createClient(options: WebhookSenderOptions): Promise<WebhookClient> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const { Agent, buildConnector, request } = await import('undici');
  const agent = new Agent({
    connect: createConnector(options, buildConnector),
    connections: maxConnections,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 10_000,
  });
  return { agent, request };
}

/** The header fields of the Standard Webhooks specification. */
export function signatureOf(
  webhookId: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(webhookId, at, body)).join(' '),
  };
}

/**
 * Connects to public addresses only. The address is checked where it is used: a name that resolves to another address the next time
 * changes nothing.
 */
function createConnector(
  { allowPrivateAddresses, lookup }: WebhookSenderOptions,
  buildConnector: typeof Undici.buildConnector,
): Undici.buildConnector.connector {
  if (allowPrivateAddresses) return buildConnector({ timeout: connectTimeoutMs, ...(lookup ? { lookup } : {}) });
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: publicLookup(lookup ?? lookupAddress) });
  return (target, callback) => {
    try {
      assertPublicHost(target.hostname);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      const address = error === null ? socket.remoteAddress : undefined;
      if (error !== null || (address !== undefined && isPublicAddress(address))) {
        callback(...result);
        return;
      }
      socket.destroy();
      callback(new PrivateAddressError(address ?? target.hostname), null);
    });
  };
}

/** Gives the public addresses of a name. Fails for a name that has others as well: a public name has no reason to. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      // Of a name that is not found there is no address, whatever the types say.
      const given: string | readonly LookupAddress[] = error === null ? address : [];
      const found = typeof given === 'string' ? [given] : given.map((one) => one.address);
      const refused = found.find((one) => !isPublicAddress(one));
      if (refused === undefined) callback(error, address, family);
      else callback(new PrivateAddressError(`${hostname} has the address ${refused}, which`), '', 0);
    });
  };
}

function answerOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): WebhookAnswer {
  const answer = truncate(body, keptAnswer);
  if (status >= 200 && status < 300) return { isDelivered: true, status, error: null, answer };
  const notBefore = pauseOf(headers['retry-after']);
  return { isDelivered: false, status, error: describeStatus(status), answer, ...(notBefore ? { notBefore } : {}) };
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) {
    return `Status ${status}: redirects are not followed. Correct the URL of the webhook.`;
  }
  return `Status ${status}.`;
}

/** Retry-After is a number of seconds or a date. @returns Unix time in milliseconds */
function pauseOf(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const at = /^\d{1,9}$/.test(value) ? Date.now() + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.min(at, Date.now() + maxPauseMs);
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddressError) return error.message;
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof PrivateAddressError ? cause.message : describeError(error);
}
