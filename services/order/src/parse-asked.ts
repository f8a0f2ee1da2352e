import { isTextLine, textLineRule } from '@gantry/contracts';
import { GantryError, invalidValue } from '@gantry/plugin-api';

/** Why an operation is asked for, and by whom; the memo of its workflow keeps both. */
export interface Asked {
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** No body says nothing. @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
export function parseAsked(body: unknown): Asked {
  return readAsked(parseBody(body), 1_000);
}

/** The members of a body; none without one. @throws GantryError BAD_REQUEST */
export function parseBody(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new GantryError('BAD_REQUEST', 'The body must be a JSON object, for example { "reason": "lost" }.');
}

/** @throws GantryError VALIDATION_FAILED */
export function readAsked(members: Readonly<Record<string, unknown>>, maxReasonLength: number): Asked {
  const maxLengths = { reason: maxReasonLength, requestedBy: 100 };
  for (const [name, value] of Object.entries(members)) assertText(maxLengths, name, value);
  return members;
}

function assertText(maxLengths: Readonly<Record<string, number>>, name: string, value: unknown): void {
  const maxLength = Object.hasOwn(maxLengths, name) ? maxLengths[name] : undefined;
  if (maxLength === undefined) throw invalidValue(name, `Unknown: ${name.slice(0, 80)}`);
  if (!isTextLine(value, maxLength)) throw invalidValue(name, `${name} ${textLineRule(maxLength)}`);
}
