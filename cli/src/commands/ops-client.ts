import type { Failure, Success } from '@gantry/contracts';
import { plain } from '../common/plain';
import { UsageError } from '../common/usage-error';
import { withRemedy } from '../common/with-remedy';
import type { CommandContext } from '../context/command-context';
import { requestPlatform, requiredAddress } from '../context/running-platform';

type Query = Readonly<Record<string, string | undefined>>;

/** A request to the routes of workflows. */
export interface OpsRequest {
  /** Segments after `/workflows`, not encoded. */
  readonly path: readonly string[];
  readonly query?: Query;
  /** Makes it a POST. */
  readonly body?: object;
}

/** @throws Error with the message of the platform, and the next command as remedy */
export async function callOps<T>(context: CommandContext, { path, query = {}, body }: OpsRequest): Promise<Success<T>> {
  const address = requiredAddress(context);
  const url = new URL(['/workflows', ...path.map(segmentOf)].join('/'), address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const { status, data, meta, error } = await requestPlatform(context, address, url.pathname + url.search, body);
  if (error !== undefined) throw withRemedy(plain(error.message), remedyOf(error.code, path[0] ?? '', body), error);
  if (data !== undefined) return { data: data as T, ...(meta === undefined ? {} : { meta }) };
  throw withRemedy(
    `${address} answers with status ${status}, which is not an answer of a platform.`,
    'Check whether another program uses its port: gantry doctor',
  );
}

/** Reads a page, or all pages from there on. */
export async function readPages<T>(context: CommandContext, path: readonly string[], query: Query, isAll: boolean) {
  const pages: T[] = [];
  let after = query['after'];
  for (;;) {
    const { data, meta } = await callOps<T>(context, { path, query: { ...query, after } });
    pages.push(data);
    after = meta?.['nextCursor'] as string | undefined;
    if (!isAll || after === undefined) return { pages, nextCursor: after };
  }
}

/** @throws UsageError for an id that would make another path */
function segmentOf(id: string): string {
  if (['', '.', '..'].includes(id)) throw new UsageError(`An id must not be "${id}".`);
  return encodeURIComponent(id);
}

function remedyOf(code: Failure['error']['code'], workflowId: string, body: object | undefined): string {
  const invalid = body === undefined ? 'See: gantry ops list --help' : 'Correct it and try again.';
  const remedies: Partial<Record<typeof code, string>> = {
    WORKFLOW_NOT_FOUND: 'List the workflows with: gantry ops list. The workflow of order 1001 has the id order-1001.',
    WORKFLOW_CLOSED: `See how it ended with: gantry ops show ${workflowId}. A workflow that has ended can be reset.`,
    CONFLICT: `Look at it with: gantry ops show ${workflowId}`,
    NOT_FOUND: 'The plugin ops is not in use there; see: gantry plugins list',
    UNAUTHENTICATED: 'Store an API token of that platform with gantry login, or set GANTRY_TOKEN to one.',
    UNAVAILABLE: 'Try again in a moment. To see what is unavailable: gantry doctor',
    BAD_REQUEST: invalid,
    VALIDATION_FAILED: invalid,
  };
  return remedies[code] ?? 'See the log of the platform for details.';
}
