import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { Failure } from '@gantry/contracts';
import { GantryError, isGantryError, type Logger } from '@gantry/plugin-api';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { isStatementTimeout, isTransactionConflict, translateUnavailable } from '@gantry/core-database';
import { ConfirmationRequired } from '@gantry/core-content';
import type { HidePaths } from './hide-paths';
import { requestIdOf } from '../request-context';
import { PresenceRequired } from '../../ports/presence-required';
import { SecondFactorRequired } from '../caller/second-factor-required';
import { jsonType, sendText } from './send';

/** The one place that maps errors to answers. What is not a GantryError becomes INTERNAL, logged whole, shown bare. */
export function createProblemHandler(logger: Logger, hidePaths: HidePaths): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, _next) => {
    logFault(logger, request, error);
    if (response.headersSent) {
      // A stream broke off half way: only a broken connection says to the client that the answer is incomplete.
      response.destroy();
      return;
    }
    sendProblem(request, response, toProblem(error), hidePaths);
  };
}

/** Logs what is a fault of the platform, once. */
export function logFault(
  logger: Logger,
  request: Pick<Request, 'method' | 'path'> & IncomingMessage,
  error: unknown,
): void {
  const problem = toProblem(error);
  if (problem.status < 500 || problem.code === 'UNAVAILABLE') return;
  logger.error(
    { err: error, requestId: requestIdOf(request), method: request.method, path: request.path },
    'request failed',
  );
}

/** Sends the envelope of a failure. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: GantryError,
  hidePaths: HidePaths = (json) => json,
): void {
  const json = hidePaths(JSON.stringify(failureOf(request, problem)));
  const retry: Record<string, string> = problem.code === 'UNAVAILABLE' ? { 'Retry-After': '5' } : {};
  const headers = { ...retry, ...problem.headers };
  if (request.complete || request.method === 'HEAD') sendText(response, problem.status, json, headers);
  else sendBeforeTheEnd(request, response, { status: problem.status, json, headers });
}

/** The envelope of a failure. */
export function failureOf(request: IncomingMessage, problem: GantryError): Failure {
  return {
    error: {
      code: problem.code,
      message: problem.message,
      ...(problem.details === undefined ? {} : { details: problem.details }),
      ...(problem instanceof ConfirmationRequired ? { deletion: problem.deletion } : {}),
      ...(problem instanceof PresenceRequired ? { presence: problem.question } : {}),
      ...(problem instanceof SecondFactorRequired ? { secondFactor: problem.question } : {}),
      requestId: requestIdOf(request),
    },
  };
}

/**
 * Answers a client that is still sending. Its connection must not be closed under it, or it would see a broken connection
 * instead of the answer: what it sends is thrown away, for as long as a request may take.
 */
function sendBeforeTheEnd(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly status: number; readonly json: string; readonly headers: Readonly<Record<string, string>> },
): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'Content-Type': jsonType,
    'Content-Length': Buffer.byteLength(answer.json),
  });
  response.write(answer.json);
  finished(request, () => response.end());
  request.resume();
}

/** The error as a client gets it. */
export function toProblem(error: unknown): GantryError {
  const translated = translateUnavailable(error);
  if (isGantryError(translated)) return translated;
  if (isStatementTimeout(translated) || isTransactionConflict(translated)) {
    return new GantryError('UNAVAILABLE', 'The database is too busy to answer in time. Try again in a moment.', {
      cause: error,
    });
  }
  // Express throws for a path that cannot be percent-decoded.
  if (translated instanceof URIError) {
    return new GantryError('BAD_REQUEST', 'The path is not correctly percent-encoded.', { cause: error });
  }
  return new GantryError(
    'INTERNAL',
    'The platform failed to process the request. Search the log for the request id to find the cause.',
    {
      cause: error,
    },
  );
}
