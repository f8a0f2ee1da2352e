/** The meaning of every error code to a client: the HTTP status, a title, and whether the same request may succeed later. */
export interface ErrorKind {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

/**
 * The one table of error codes. Documentation (docs/errors.md), OpenAPI and the HTTP mapping are made from it.
 * @public
 */
export const errorCatalogue = {
  BAD_REQUEST: { status: 400, title: 'The request cannot be understood', retryable: false },
  VALIDATION_FAILED: { status: 400, title: 'One or more values are not acceptable', retryable: false },
  UNAUTHENTICATED: { status: 401, title: 'The request needs a valid session or API token', retryable: false },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    title: 'The sign-in needs a second factor: a passkey, or a code',
    retryable: false,
  },
  FORBIDDEN: { status: 403, title: 'The request is not allowed', retryable: false },
  PRESENCE_REQUIRED: {
    status: 403,
    title: 'The change needs a proof of presence that is not older than 10 minutes',
    retryable: false,
  },
  NOT_FOUND: { status: 404, title: 'Not found', retryable: false },
  TYPE_NOT_FOUND: { status: 404, title: 'No such item type', retryable: false },
  ITEM_NOT_FOUND: { status: 404, title: 'No such item', retryable: false },
  ORDER_NOT_FOUND: { status: 404, title: 'No such order', retryable: false },
  WORKFLOW_NOT_FOUND: { status: 404, title: 'No such workflow', retryable: false },
  PLUGIN_NOT_FOUND: { status: 404, title: 'No such plugin', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not support this method', retryable: false },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time', retryable: true },
  CONFLICT: { status: 409, title: 'The change conflicts with the stored state', retryable: false },
  ITEM_REFERENCED: { status: 409, title: 'Other items still refer to this item', retryable: false },
  CONFIRMATION_REQUIRED: {
    status: 409,
    title: 'The deletion also deletes or changes other items, and is not confirmed',
    retryable: false,
  },
  PLUGIN_CHECK_FAILED: { status: 409, title: 'The plugin did not pass its check', retryable: false },
  PLUGIN_NEEDED: { status: 409, title: 'Other plugins need the plugin', retryable: false },
  PLUGIN_REQUIRED: { status: 409, title: 'The platform requires the plugin', retryable: false },
  PLUGIN_SET_CHANGED: { status: 409, title: 'Another host changes the plugins', retryable: true },
  WORKFLOW_CLOSED: { status: 409, title: 'The workflow has ended', retryable: false },
  VERSION_MISMATCH: { status: 412, title: 'The item has changed since it was read', retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is over the size limit', retryable: false },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The body has a media type or encoding that is not accepted',
    retryable: false,
  },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many requests', retryable: true },
  HEADERS_TOO_LARGE: { status: 431, title: 'The header fields are over the size limit', retryable: false },
  INTERNAL: { status: 500, title: 'The platform failed', retryable: false },
  UNAVAILABLE: { status: 503, title: 'A required service is unavailable', retryable: true },
} as const satisfies Record<string, ErrorKind>;

/** A code of {@link errorCatalogue}. @public */
export type ErrorCode = keyof typeof errorCatalogue;
