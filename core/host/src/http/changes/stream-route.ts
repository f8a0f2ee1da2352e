import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { ChangeHub } from '../../content/changes/change-hub';
import { formatPosition, parsePosition, type Position } from '../../content/changes/position';
import type { ChangePage, ChangeReader } from '../../content/changes/read-changes';
import { confirmPrincipal } from '../exchange/principal';
import { addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { createSharedResource, sharedResources, type ResourceLimits } from '../exchange/shared-resource';

export interface StreamRouteDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly changes: ChangeReader;
  readonly hub: ChangeHub;
  /** Aborts when the process takes no requests any more. */
  readonly draining: AbortSignal;
  /** Of open streams; those of the platform unless given. */
  readonly limits?: ResourceLimits;
}

/** Milliseconds after which a client connects again. */
const retryMs = 1_000;
/** Proxies close connections on which nothing is sent. */
const heartbeatMs = 15_000;
const confirmMs = 5_000;
/** Bytes that wait for a client that does not read; more of them end its stream, and it comes back with its position. */
const maxWaiting = 1024 * 1024;

/** `GET /api/cms/changes/stream`: the change feed as server-sent events. */
export function streamRoute(dependencies: StreamRouteDependencies): Routes {
  const streams = createSharedResource(dependencies.limits ?? sharedResources.streams);
  // One for each stream that is open.
  setMaxListeners(0, dependencies.draining);
  return (app) => {
    addReadRoute(app, '/api/cms/changes/stream', async (request, response) => {
      if (dependencies.draining.aborted) {
        sendElsewhere(response);
        return;
      }
      const opened = await openStream(dependencies, request);
      await streams.run(request, () => stream(dependencies, request, response, opened));
    });
  };
}

interface OpenStream {
  readonly scope: ReturnType<ScopeOf>;
  readonly position: Position;
  readonly types: ReadonlySet<string> | undefined;
}

async function openStream(
  { scopeOf, findType, changes }: StreamRouteDependencies,
  request: IncomingMessage,
): Promise<OpenStream> {
  const scope = scopeOf(request);
  const query = parseQuery(request, ['after', 'types']);
  const types = query['types']?.split(',').map((code) => findType(scope, code));
  // A browser that connects again sends the id of the last event it has got.
  const last = request.headers['last-event-id'];
  const after = (typeof last === 'string' && last !== '' ? last : query['after']) ?? 'latest';
  return {
    scope,
    position: after === 'latest' ? await changes.last() : await parseReached(changes, after),
    types: types && new Set(types.map(({ descriptor }) => descriptor.code)),
  };
}

/** @throws GantryError BAD_REQUEST */
async function parseReached(changes: ChangeReader, text: string): Promise<Position> {
  const position = parsePosition('after', text);
  await changes.assertReached('after', position);
  return position;
}

async function stream(
  { hub, draining }: StreamRouteDependencies,
  request: IncomingMessage,
  response: Response,
  { scope, position, types }: OpenStream,
): Promise<void> {
  startStream(response);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  request.socket.setTimeout(0);
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const heartbeat = setInterval(() => response.write(': still connected\n\n'), heartbeatMs);
  const end = (): void => {
    // What is written after the end is an error of the process.
    clearInterval(heartbeat);
    response.end();
  };
  response.write(`retry: ${retryMs}\nevent: ready\nid: ${formatPosition(position)}\ndata: {}\n\n`);
  const unfollow = hub.follow(position, { scope, types, onLost: end, onPage: (page) => sendPage(response, page) });
  const confirm = setInterval(() => void Promise.resolve(confirmPrincipal(request)).catch(end), confirmMs);
  draining.addEventListener('abort', end);
  try {
    await closed;
  } finally {
    draining.removeEventListener('abort', end);
    clearInterval(heartbeat);
    clearInterval(confirm);
    unfollow();
  }
}

/** On a connection that is still open to a process which retires: the client goes to the one that follows. */
function sendElsewhere(response: Response): void {
  startStream(response);
  response.setHeader('Connection', 'close');
  response.end(`retry: ${retryMs}\n\n`);
}

function startStream(response: Response): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // Some proxies hold back what they could compress or buffer.
  response.setHeader('X-Accel-Buffering', 'no');
}

function sendPage(response: Response, page: ChangePage): void {
  if (response.writableEnded) return;
  const events = page.changes.map(
    ({ position, json }) => `event: change\nid: ${formatPosition(position)}\ndata: ${json}\n\n`,
  );
  // What the client does not see moves its position too.
  events.push(`event: position\nid: ${formatPosition(page.next)}\ndata: {}\n\n`);
  response.write(events.join(''));
  if (response.writableLength > maxWaiting) response.destroy();
}
