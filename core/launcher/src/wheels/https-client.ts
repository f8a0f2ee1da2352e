import { checkServerIdentity as checkIdentity, type PeerCertificate } from 'node:tls';
import { unlessAborted } from '@gantry/core-common';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import type { Authorize } from './credentials';
import { explainFailure, explainStatus, Refusal, shownUrl } from './explain-failure';
import type { IndexSettings } from './index-settings';

export interface ClientOptions {
  readonly settings: Pick<IndexSettings, 'proxy' | 'noProxy' | 'tls' | 'trustedHostSource'>;
  readonly authorize: Authorize;
  readonly signal: AbortSignal;
  /** A server that sends nothing for so long is given up. */
  readonly idleMs: number;
}

export interface ReceiveOptions {
  readonly url: URL;
  /** The header `Accept`. */
  readonly accept: string;
  readonly maxBytes: number;
  /** Gets the content, piece by piece, and the size of all of it where the server says so. Its errors are passed on. */
  readonly onChunk: (chunk: Buffer, total: number | undefined) => Promise<void> | void;
}

export interface Received {
  /** The address after redirects. */
  readonly url: URL;
  /** Media type, without parameters. */
  readonly contentType: string;
}

export interface HttpsClient {
  /** @throws Error that says in one line what to do */
  receive(options: ReceiveOptions): Promise<Received>;
  close(): Promise<void>;
}

const maxRedirects = 5;
const timeoutMs = 15 * 60_000;

/** Receives content over HTTPS, through the proxy and with the certificates of the settings. */
export function createHttpsClient(options: ClientOptions): HttpsClient {
  const { proxy, noProxy, tls } = options.settings;
  const dispatcher = new EnvHttpProxyAgent({
    // Empty texts keep undici from reading the variables of this process.
    httpProxy: '',
    httpsProxy: proxy?.url.href ?? '',
    noProxy,
    connect: { ...tls, checkServerIdentity },
    requestTls: { ...tls, checkServerIdentity },
    proxyTls: { ...tls, checkServerIdentity },
  });
  return {
    receive: (wanted) => receive(options, dispatcher, wanted),
    close: () => dispatcher.destroy(),
  };
}

/** With another code than that of Node.js, for which undici connects again and again where the host is an IP address. */
function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const problem = checkIdentity(host, certificate);
  return problem && Object.assign(new Error(problem.message), { code: 'HOSTNAME_MISMATCH' });
}

async function receive(client: ClientOptions, dispatcher: Dispatcher, wanted: ReceiveOptions): Promise<Received> {
  const { settings, idleMs } = client;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Refusal(`sent no data for ${idleMs / 1_000} s; try again`)), idleMs);
  const late = AbortSignal.timeout(timeoutMs);
  const progress: Progress = { bytes: 0, total: undefined, failure: undefined };
  try {
    const response = await follow(client, dispatcher, wanted, AbortSignal.any([client.signal, idle.signal, late]));
    await readBody(response.data, wanted, progress, () => timer.refresh());
    return { url: response.url, contentType: mediaTypeOf(response.data) };
  } catch (error) {
    client.signal.throwIfAborted();
    if (progress.failure !== undefined) throw progress.failure;
    const reason: unknown = [idle.signal, late].find(({ aborted }) => aborted)?.reason ?? error;
    throw new Error(`${shownUrl(wanted.url)} ${explainFailure(reason, { settings, ...progress })}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

interface Progress {
  bytes: number;
  total: number | undefined;
  /** The error of the caller, as opposed to those of the connection. */
  failure: Error | undefined;
}

async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  { maxBytes, onChunk }: ReceiveOptions,
  progress: Progress,
  onProgress: () => void,
): Promise<void> {
  const length = Number(headers['content-length'] ?? Number.NaN);
  progress.total = Number.isNaN(length) ? undefined : length;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    progress.bytes += chunk.length;
    if (progress.bytes > maxBytes) throw new Refusal(`sends more than ${maxBytes} bytes; name another index`);
    try {
      await onChunk(chunk, progress.total);
    } catch (error) {
      progress.failure = error instanceof Error ? error : new Error(String(error));
      throw progress.failure;
    }
    onProgress();
  }
}

/** Follows redirects, to addresses with HTTPS only. Each host gets the user that is configured for it and no other. */
async function follow(
  { authorize }: ClientOptions,
  dispatcher: Dispatcher,
  { url: first, accept }: ReceiveOptions,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly data: Dispatcher.ResponseData }> {
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const authorization = authorize(url);
    const headers = {
      accept,
      'accept-encoding': 'identity',
      'user-agent': 'gantry',
      ...(authorization === undefined ? {} : { authorization }),
    };
    const address = new URL(`${url.pathname}${url.search}`, url.origin);
    const answering = request(address, { dispatcher, headers, signal, headersTimeout: 0, bodyTimeout: 0 });
    // Before there is a connection, undici does not follow the signal.
    const data = await unlessAborted(answering, signal);
    const { statusCode } = data;
    if (statusCode === 200) return { url, data };
    await data.body.dump();
    if (![301, 302, 303, 307, 308].includes(statusCode)) throw new Refusal(explainStatus(statusCode));
    url = redirectOf(data, url);
  }
  throw new Refusal(`leads to more than ${maxRedirects} other addresses; name another index`);
}

function redirectOf({ headers }: Dispatcher.ResponseData, base: URL): URL {
  const location = textOf(headers.location);
  const target = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (target?.protocol === 'https:') return target;
  throw new Refusal('leads to an address without https://; name another index');
}

function mediaTypeOf({ headers }: Dispatcher.ResponseData): string {
  return (textOf(headers['content-type']).split(';')[0] ?? '').trim().toLowerCase();
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.[0] ?? '');
}
