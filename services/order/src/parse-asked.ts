import { GantryError } from '@gantry/plugin-api';

/** Why an operation is asked for, and by whom; the memo of its workflow keeps both. */
export interface Asked {
  readonly reason?: string;
  readonly requestedBy?: string;
}

const maxLengths: Readonly<Record<string, number>> = { reason: 1_000, requestedBy: 100 };

/** No body says nothing. @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
export function parseAsked(body: unknown): Asked {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GantryError('BAD_REQUEST', 'The body must be a JSON object, for example { "reason": "lost" }.');
  }
  for (const [name, value] of Object.entries(body)) assertText(name, value);
  return body;
}

function assertText(name: string, value: unknown): void {
  const maxLength = Object.hasOwn(maxLengths, name) ? maxLengths[name] : undefined;
  if (maxLength === undefined) throw invalid(name, `Unknown: ${name.slice(0, 80)}`);
  const isText = typeof value === 'string' && value.length > 0 && value.length <= maxLength && !/\p{Cc}/u.test(value);
  if (!isText) throw invalid(name, `${name} must be text of 1 to ${maxLength} characters, without control characters`);
}

function invalid(path: string, message: string): GantryError {
  return new GantryError('VALIDATION_FAILED', `${message}.`, {
    details: [{ path, code: 'VALUE_INVALID', message }],
  });
}
