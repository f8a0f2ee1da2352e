import { isTextLine, resetWarningCodes, textLineRule, type ResetPoint } from '@gantry/contracts';
import { GantryError, invalidValue, type RouteRequest } from '@gantry/plugin-api';

/** Why something is asked for, and by whom; Temporal keeps both in the history. */
export interface Asked {
  readonly reason: string;
  readonly by: string;
}

export interface ResetRequest extends Asked {
  readonly to: ResetPoint;
  /** The run that the caller has looked at; any newest run unless given. */
  readonly runId?: string;
  /** Reports what would happen, without doing it. */
  readonly dryRun: boolean;
  /** Codes of warnings that the caller knows. */
  readonly acknowledge: readonly string[];
}

export interface SignalRequest extends Asked {
  readonly signal: string;
  /** JSON values, as the workflow's handler takes them; none for the signals of the order services. */
  readonly args: readonly unknown[];
}

type Body = Readonly<Record<string, unknown>>;

/** @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
export function parseAsked(
  request: Pick<RouteRequest, 'body'>,
  known: readonly string[] = [],
): Asked & { readonly body: Body } {
  // No body is nothing said; null is a body, and no object.
  const body = objectOf(request.body === undefined ? {} : request.body);
  const unknown = Object.keys(body).filter((key) => !['reason', 'requestedBy', ...known].includes(key));
  const [first] = unknown;
  if (first !== undefined) throw invalidValue(first, `Unknown: ${unknown.map((key) => key.slice(0, 80)).join(', ')}`);
  return {
    body,
    reason: textOf(body, 'reason', 1_000) ?? 'no reason given',
    by: textOf(body, 'requestedBy', 100) ?? 'unknown',
  };
}

/** @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
export function parseSignalRequest(request: Pick<RouteRequest, 'body'>): SignalRequest {
  const { body, ...asked } = parseAsked(request, ['signal', 'args']);
  const signal = textOf(body, 'signal', 200);
  if (signal === undefined) throw invalidValue('signal', 'signal must name the signal to send');
  return { ...asked, signal, args: argumentsOf(body['args']) };
}

const maxArguments = 20;

function argumentsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxArguments) {
    throw invalidValue('args', `args must be a list of at most ${maxArguments} JSON values`);
  }
  if (value.some(hasLostDigits)) {
    throw invalidValue('args', 'args must not have integers beyond 9007199254740991; send such a number as text');
  }
  return value as readonly unknown[];
}

/** Whether a number in the value is not the one that was sent. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLostDigits);
}

/** @throws GantryError BAD_REQUEST, VALIDATION_FAILED */
export function parseResetRequest(request: Pick<RouteRequest, 'body'>): ResetRequest {
  const { body, ...asked } = parseAsked(request, ['to', 'runId', 'dryRun', 'acknowledge']);
  const runId = textOf(body, 'runId', 100);
  const dryRun = body['dryRun'] ?? false;
  if (typeof dryRun !== 'boolean') throw invalidValue('dryRun', 'dryRun must be true or false');
  const acknowledge = acknowledgedCodes(body['acknowledge']);
  return { ...asked, to: resetPointOf(body['to']), dryRun, acknowledge, ...(runId === undefined ? {} : { runId }) };
}

function acknowledgedCodes(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const known: readonly unknown[] = resetWarningCodes;
  if (Array.isArray(value) && value.length <= known.length && value.every((code) => known.includes(code))) {
    return value as readonly string[];
  }
  throw invalidValue('acknowledge', `acknowledge must be a list of codes of warnings: ${known.join(', ')}`);
}

function resetPointOf(value: unknown): ResetPoint {
  if (value === 'FIRST_TASK' || value === 'LAST_TASK' || value === 'COMPENSATION') return value;
  const eventId = typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  if (typeof eventId === 'number' && Number.isSafeInteger(eventId) && eventId > 0) return eventId;
  throw invalidValue('to', 'to must be FIRST_TASK, LAST_TASK, COMPENSATION or the id of an event');
}

function objectOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  throw new GantryError(
    'BAD_REQUEST',
    'The body must be a JSON object, for example { "reason": "requested by the customer" }.',
  );
}

function textOf(body: Body, name: string, maximum: number): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (isTextLine(value, maximum)) return value;
  throw invalidValue(name, `${name} ${textLineRule(maximum)}`);
}
