import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const key = Symbol('gantry.requestId');

interface Marked {
  [key]?: string;
}

const prefix = randomBytes(5).toString('base64url');
let counter = 0;

/** Gives the request an id, unique among hosts and restarts, and sends it back as `X-Request-Id`. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  counter += 1;
  const id = `${prefix}-${counter.toString(36)}`;
  (request as Marked)[key] = id;
  response.setHeader('X-Request-Id', id);
}

export function requestIdOf(request: IncomingMessage): string {
  return (request as Marked)[key] ?? 'none';
}
