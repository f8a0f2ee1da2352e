import { createServer, request as sendRequest, type RequestListener } from 'node:http';
import { Duplex } from 'node:stream';
import { endsWithin } from '@gantry/core-common';
import type { HttpMessages } from './http-messages';

export interface WarmUpOptions {
  readonly handler: RequestListener;
  readonly messages: HttpMessages;
  /** For the header of the same name. */
  readonly host: string;
  /** Of this machine: what it may do, the requests may do. */
  readonly token: string;
  /** Codes of item types. */
  readonly types: readonly string[];
  readonly limitMs: number;
}

/** More would only repeat what runs by then. */
const maxTypes = 12;
const rounds = 6;
/** Each opens a connection to the database, as the requests of clients do. */
const atOnce = 8;

/** Of no item. */
const noId = '9223372036854775807';

interface WarmUpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/**
 * Sends requests to an application that does not listen yet, so that its code is compiled and its connections to the database are open when
 * clients come: the first ones took up to half a second otherwise. Nothing is changed by them, and their answers do not matter.
 */
export async function warmUp(options: WarmUpOptions): Promise<void> {
  const server = createServer(options.messages, options.handler);
  const deadline = performance.now() + options.limitMs;
  const waiting = Array.from({ length: rounds }, () => requestsOf(options.types)).flat();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && performance.now() < deadline; next = waiting.shift()) {
      await send(server, options, next);
    }
  };
  await endsWithin(Promise.all(Array.from({ length: atOnce }, work)), options.limitMs);
  server.closeAllConnections();
}

function requestsOf(types: readonly string[]): readonly WarmUpRequest[] {
  const items = '/api/cms/items';
  return [
    { method: 'GET', path: `${items}/types` },
    { method: 'POST', path: '/api/cms/search?q=warm' },
    ...types.slice(0, maxTypes).flatMap((type): readonly WarmUpRequest[] => [
      { method: 'POST', path: `${items}/${type}/list?limit=10`, body: '[]' },
      { method: 'GET', path: `${items}/${type}/${noId}` },
      { method: 'PATCH', path: `${items}/${type}/${noId}`, body: '{}' },
    ]),
  ];
}

type WarmUpServer = ReturnType<typeof createServer>;

function send(server: WarmUpServer, { host, token }: WarmUpOptions, { method, path, body }: WarmUpRequest) {
  return new Promise<void>((resolve) => {
    const headers = {
      ...{ host, authorization: `Bearer ${token}`, connection: 'close' },
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const outgoing = sendRequest({ method, path, headers, createConnection: () => connectTo(server) }, (response) => {
      response.resume().once('close', resolve);
    });
    outgoing.once('error', () => resolve());
    outgoing.end(body);
  });
}

/** A connection within the process. */
function connectTo(server: WarmUpServer): Duplex {
  const [near, far] = [new End(), new End()];
  near.other = far;
  far.other = near;
  server.emit('connection', far);
  return near;
}

class End extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  other: End | undefined;

  override _read(): void {
    // Data written to the other end is pushed by it.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.other?.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}
