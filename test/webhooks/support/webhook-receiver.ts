import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/eventually';

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The parsed body. */
  // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of unknown shape
  readonly event: any;
}

/** Answers a request; one that does nothing never answers. */
export type Answering = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server that gets requests of webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  /** From now on; 204 unless set. */
  answer(how: Answering): void;
  /** @returns the events when there are at least so many */
  untilReceived(count: number): Promise<readonly ReceivedRequest[]>;
  /** @returns the first event when there is one */
  first(): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

const accept: Answering = (response) => void response.writeHead(204).end();

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = [];
  let answer = accept;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const entry = { headers: request.headers, body, event: JSON.parse(body) as unknown };
      received.push(entry);
      answer(response, entry);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer(how) {
      answer = how;
    },
    async untilReceived(count) {
      await eventually(() => received.length >= count, `${count} requests are received`);
      return received;
    },
    async first() {
      await eventually(() => received.length > 0, 'a request is received');
      const [request] = received;
      if (request === undefined) throw new Error('There is no request.');
      return request;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
