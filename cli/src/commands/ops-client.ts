import { orderWorkflowId, type Failure, type Success } from '@gantry/contracts';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { settingsOf, type CommandContext } from '../context/command-context';
import { credentialsFor } from '../context/credentials';
import { noAnswer } from '../common/no-answer';
import { plain } from '../common/plain';
import { UsageError } from '../common/usage-error';
import { withRemedy } from '../common/with-remedy';

/** What is asked of the operations endpoints of the running platform. */
export interface OpsRequest {
  /** `workflows` unless given. */
  readonly root?: 'workflows' | 'orders' | 'operations';
  /** Segments after the root; they are encoded here. */
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Makes it a POST. */
  readonly body?: object;
}

/** Longest a command waits: a reset reads the whole history, which takes a while when it has thousands of events. */
const timeoutMs = 60_000;

/**
 * Asks the platform that runs on the home, or the one that GANTRY_HOST and GANTRY_PORT name.
 * @throws Error with the message of the platform, and a remedy
 */
export async function callOps<T>(context: CommandContext, request: OpsRequest): Promise<Success<T>> {
  const address = platformAddress(context);
  const response = await send(address, request, credentialsFor(context, address));
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isSuccess<T>(body)) return body;
  throw refusal(address, response.status, body, request);
}

function platformAddress(context: CommandContext): string {
  if (context.url !== undefined) return context.url;
  const { environment } = context;
  const { home, host, port } = settingsOf(context);
  const running = findRunningPlatform(home);
  if (running?.address !== undefined) return running.address;
  if (running !== undefined) {
    throw withRemedy(`The platform on ${home} is starting.`, 'Try again when it is ready.');
  }
  if ((environment['GANTRY_PORT'] || environment['GANTRY_HOST']) && port !== 0) {
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
  throw withRemedy(
    `No platform runs on ${home}.`,
    'Start it with: gantry up. For a platform that runs elsewhere, set --url or --home, or GANTRY_HOST and GANTRY_PORT.',
  );
}

async function send(
  address: string,
  { root = 'workflows', path = [], query = {}, body }: OpsRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<Response> {
  const url = new URL([`/${root}`, ...path.map(segmentOf)].join('/'), address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  try {
    return await fetch(url, { ...postOf(body, credentials), signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw noAnswer(address, { error, isChange: body !== undefined, timeoutMs });
  }
}

/** @throws UsageError for an id that would make another path */
function segmentOf(id: string): string {
  if (['', '.', '..'].includes(id)) throw new UsageError(`An id must not be "${id}".`);
  return encodeURIComponent(id);
}

function postOf(body: object | undefined, headers: Readonly<Record<string, string>>): RequestInit {
  if (body === undefined) return { headers };
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function isSuccess<T>(body: unknown): body is Success<T> {
  return typeof body === 'object' && body !== null && 'data' in body;
}

function refusal(address: string, status: number, body: unknown, request: OpsRequest): Error {
  const error = (body as Partial<Failure> | undefined)?.error;
  if (typeof error?.message !== 'string') {
    return withRemedy(
      `${address} answers with status ${status}, which is not an answer of a platform.`,
      'Check whether another program uses its port: gantry doctor',
    );
  }
  return withRemedy(plain(error.message), remedyOf(error.code, request), error);
}

function remedyOf(code: Failure['error']['code'], { root, path: [id] = [], body }: OpsRequest): string {
  const workflowId = root === 'orders' ? orderWorkflowId(id ?? '') : id;
  switch (code) {
    case 'ORDER_NOT_FOUND':
      return 'List the orders with: gantry ops orders. The order of the workflow order-1001 has the id 1001.';
    case 'WORKFLOW_NOT_FOUND':
      return 'List the workflows with: gantry ops list. The workflow of order 1001 has the id order-1001.';
    case 'WORKFLOW_CLOSED':
      return `See how it ended with: gantry ops show ${workflowId}. A workflow that has ended can be reset.`;
    case 'CONFLICT':
      return `Look at it with: gantry ops show ${workflowId}`;
    case 'NOT_FOUND':
      return `The plugin ${root === 'orders' ? 'order' : 'ops'} is not in use there; see: gantry plugins list`;
    case 'UNAUTHENTICATED':
      return 'Store an API token of that platform with gantry login, or set GANTRY_TOKEN to one.';
    case 'UNAVAILABLE':
      return 'Try again in a moment. To see what is unavailable: gantry doctor';
    case 'BAD_REQUEST':
    case 'VALIDATION_FAILED':
      if (body !== undefined) return 'Correct it and try again.';
      return `See: gantry ops ${root === 'orders' ? 'orders' : 'list'} --help`;
    default:
      return 'See the log of the platform for details.';
  }
}
