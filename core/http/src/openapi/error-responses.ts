import { errorCatalogue, type DetailCode, type ErrorCode, type ErrorDetail } from '@gantry/contracts';
import { component, type Reference, type Response } from './document';

/** Names of the error answers in the document's components, by HTTP status. */
const names = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} as const satisfies Record<(typeof errorCatalogue)[ErrorCode]['status'], string>;

type ErrorStatus = keyof typeof names;

const headersOf: Partial<Record<ErrorStatus, Response['headers']>> = {
  405: { Allow: component('headers', 'Allow') },
  429: { 'Retry-After': component('headers', 'RetryAfter') },
  503: { 'Retry-After': component('headers', 'RetryAfter') },
};

/** Details in the examples. */
const exampleDetails: Partial<Record<ErrorCode, readonly ErrorDetail[]>> = {
  BAD_REQUEST: [
    {
      path: 'limit',
      code: 'OUT_OF_RANGE' satisfies DetailCode,
      message: 'The parameter limit must be a whole number from 1 to 1000; "0" was sent',
    },
  ],
};

/** One answer per HTTP status of the error table, with the codes that come with it. */
export const errorResponses: Readonly<Record<string, Response>> = Object.fromEntries(
  Object.entries(names).map(([status, name]) => [name, errorResponse(Number(status) as ErrorStatus)]),
);

/** References to the error answers of an operation; those that any request can meet are always among them. */
export function errorsWith(...statuses: readonly ErrorStatus[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    [...new Set<ErrorStatus>([400, 401, 403, 408, 431, 500, 503, ...statuses])].map((status) => [
      String(status),
      component('responses', names[status]),
    ]),
  );
}

function errorResponse(status: ErrorStatus): Response {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code].status === status);
  const headers = headersOf[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join(' '),
    ...(headers === undefined ? {} : { headers }),
    content: { 'application/json': { schema: failureWith(codes), example: exampleOf(codes) } },
  };
}

function failureWith(codes: readonly ErrorCode[]): Readonly<Record<string, unknown>> {
  return {
    allOf: [
      component('schemas', 'Failure'),
      { properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
    ],
  };
}

function exampleOf([code = 'INTERNAL']: readonly ErrorCode[]): unknown {
  const details = exampleDetails[code];
  const message = details?.map((detail) => `${detail.message}.`).join(' ') ?? errorCatalogue[code].title;
  return { error: { code, message, ...(details === undefined ? {} : { details }), requestId: '01a2b3c4' } };
}
