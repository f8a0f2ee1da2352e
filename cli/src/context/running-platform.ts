import { createPlatformCaller } from '@gantry/client/platform';
import type { Failure, Success } from '@gantry/contracts';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { settingsOf, type CommandContext } from './command-context';
import { noAnswer } from '../common/no-answer';
import { withRemedy } from '../common/with-remedy';
import { readLocalToken } from '@gantry/core-identity/local-token';
import { readStoredToken } from './stored-tokens';

/** The address of the platform that runs on the home, once it is ready. */
export function runningAddress(context: CommandContext): string | undefined {
  return findRunningPlatform(settingsOf(context).home)?.address;
}

/** The address of the platform that --url names, else of the one that runs on the home. */
export function platformAddress(context: CommandContext): string | undefined {
  return context.url ?? runningAddress(context);
}

/**
 * The address of the platform that --url names, that runs on the home, or that GANTRY_HOST and GANTRY_PORT name.
 * @throws Error with a remedy when there is none
 */
export function requiredAddress(context: CommandContext): string {
  if (context.url !== undefined) return context.url;
  const { GANTRY_HOST, GANTRY_PORT } = context.environment;
  const { home, host, port } = settingsOf(context);
  const running = findRunningPlatform(home);
  if (running?.address !== undefined) return running.address;
  if (running !== undefined) {
    throw withRemedy(`The platform on ${home} is starting.`, 'Try again when it is ready.');
  }
  if ((GANTRY_PORT || GANTRY_HOST) && port !== 0) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  throw withRemedy(
    `No platform runs on ${home}.`,
    'Start it with: gantry up. For a platform that runs elsewhere, set --url or --home, or GANTRY_HOST and GANTRY_PORT.',
  );
}

/** A request to a platform. */
interface Sent {
  readonly method?: Method;
  readonly mediaType?: string;
  readonly accept?: string;
  readonly idempotencyKey?: string;
  /** Text, or bytes that are read while they are sent. */
  readonly body?: unknown;
  /** Whether a change may have been made where there is no answer. */
  readonly isChange: boolean;
  readonly timeoutMs?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/**
 * The answer of a platform, with the credential of the command.
 * @throws Error with a remedy when there is none; the signal's reason when it aborts
 */
export async function fetchFrom(
  context: CommandContext,
  address: string,
  path: string,
  { method = 'GET', mediaType, accept, idempotencyKey, body, isChange, timeoutMs, signal }: Sent,
): Promise<Response> {
  const signals = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers: {
      ...credentialsFor(context, address),
      ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
      ...(accept === undefined ? {} : { accept }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    duplex: 'half',
    signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
  };
  try {
    return await fetch(new URL(path, address), init);
  } catch (error) {
    signal?.throwIfAborted();
    throw noAnswer(address, { error, isChange, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  }
}

/** Members that are there at once and need no change. */
const readTimeoutMs = 10_000;

/**
 * Reads what needs no change and is there at once from the running platform, with the types of the contracts; undefined where that
 * does not exist. @throws Error with a remedy when it does not answer well
 */
export const readRoute = createPlatformCaller<CommandContext>(async (_method, path, _body, context) => {
  const address = requiredAddress(context);
  const response = await fetchFrom(context, address, path, { isChange: false, timeoutMs: readTimeoutMs });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const message = (body as { readonly error?: { readonly message?: string } } | undefined)?.error?.message;
  if (response.status === 404 && message !== undefined) return undefined;
  if (message !== undefined && response.status < 500) throw refusalOf(response.status, body as Refusal);
  throw withRemedy(
    `The platform at ${address} does not answer: ${message ?? `status ${response.status}`}.`,
    'Wait until the platform is ready, or stop it: the command also works on a stopped platform.',
    (body as Refusal | undefined)?.error,
  );
});

/** A check runs code of plugins and replays workflows. */
const answerTimeoutMs = 120_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Answer = Partial<Failure & Success<unknown>> & { readonly status: number };

/**
 * The answer of the running platform, also one that refuses; with a body, the request is a POST unless another method is given.
 * @throws Error with a remedy when there is no answer
 */
export async function requestPlatform(
  context: CommandContext,
  address: string,
  path: string,
  body?: object,
  method: Method = 'POST',
): Promise<Answer> {
  const sent = body === undefined ? {} : { method, mediaType: 'application/json', body: JSON.stringify(body) };
  const response = await fetchFrom(context, address, path, {
    ...sent,
    isChange: body !== undefined,
    timeoutMs: answerTimeoutMs,
  });
  return { ...((await response.json().catch(() => ({}))) as object), status: response.status };
}

/**
 * Calls routes of the running platform, with the types of their contracts.
 * @throws Error with the message of the platform and all its details
 */
export const callRoute = createPlatformCaller<CommandContext>(async (method, path, body, context) => {
  const sent = method === 'GET' ? undefined : (body ?? {});
  const { status, ...answer } = await requestPlatform(context, requiredAddress(context), path, sent, method);
  if (status < 300) return { data: answer.data };
  throw refusalOf(status, answer);
});

interface Refusal {
  readonly error?: Pick<Failure['error'], 'message' | 'details' | 'deletion'>;
}

/** The error of an answer: its message says what to do, with its details or by itself. Its cause is the answer's own. */
export function refusalOf(status: number, { error }: Refusal): Error {
  const { message = `The platform answers with status ${status}.`, details = [] } = error ?? {};
  // That of a query parameter may be all that the message says.
  const others = details.filter((detail) => message !== `${detail.message}.`);
  const remedy = others.map((detail) => `${detail.path}: ${detail.message}`).join('\n  ');
  if (status === 401) {
    return withRemedy(message, 'Set GANTRY_TOKEN to an API token, or store one with: gantry login <address>');
  }
  return withRemedy(message, error === undefined ? 'Read its log.' : remedy, error);
}

/**
 * The credential of a command: the API token in GANTRY_TOKEN; else, to the platform of --url, the one of `gantry login`;
 * else, to the platform that runs on the home, the token of the home. The latter two go nowhere else.
 */
function credentialsFor(context: CommandContext, address: string): Readonly<Record<string, string>> {
  const stored = context.url === address ? readStoredToken(context, address) : undefined;
  const token = context.environment['GANTRY_TOKEN'] ?? stored ?? localTokenFor(context, address);
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}

function localTokenFor(context: CommandContext, address: string): string | undefined {
  const { home } = settingsOf(context);
  return findRunningPlatform(home)?.address === address ? readLocalToken(home) : undefined;
}
