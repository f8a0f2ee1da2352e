import type { RequestListener, ServerResponse } from 'node:http';
import { errorCatalogue, type Failure } from '@gantry/contracts';
import type { Readiness } from './platform/health';

/**
 * Answers while the host is not ready yet: alive, and 503 for the rest.
 * @param readiness its parts are what the start waits for
 */
export function createStartingHandler(readiness: () => Readiness): RequestListener {
  return (request, response) => {
    const path = request.url ?? '';
    if (path === '/livez') send(response, 200, { data: { status: 'alive' } });
    else if (path === '/readyz') send(response, 503, { data: readiness() });
    else send(response, errorCatalogue.UNAVAILABLE.status, unavailable);
  };
}

const unavailable: Failure = {
  error: { code: 'UNAVAILABLE', message: 'The platform is starting. Try again in a moment.', requestId: 'none' },
};

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '2' });
  response.end(JSON.stringify(body));
}
