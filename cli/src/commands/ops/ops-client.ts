import { createPlatformCaller } from '@gantry/client/platform';
import type { Failure } from '@gantry/contracts';
import { plain } from '../../common/plain';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { requestPlatform, requiredAddress } from '../../context/running-platform';

/**
 * Calls the routes of workflows, with the types of their contracts.
 * @throws Error with the message of the platform, and the next command as remedy
 */
export const callOps = createPlatformCaller<CommandContext>(async (method, path, body, context) => {
  const address = requiredAddress(context);
  const sent = method === 'GET' ? undefined : (body as object);
  const { status, data, meta, error } = await requestPlatform(context, address, path, sent);
  const workflowId = decodeURIComponent(path.split(/[/?]/)[2] ?? '');
  if (error !== undefined) throw withRemedy(plain(error.message), remedyOf(error.code, workflowId, sent), error);
  if (data !== undefined) return { data, meta };
  throw withRemedy(
    `${address} answers with status ${status}, which is not the response of a platform.`,
    'Check whether another program uses its port: gantry doctor',
  );
});

interface Page<T> {
  readonly data: T;
  readonly meta?: { readonly nextCursor?: string };
}

/** Reads a page, or all pages from there on. @param read gives the page that follows a cursor; the first one without it */
export async function readPages<T>(
  read: (cursor: { readonly after?: string }) => Promise<Page<T>>,
  isAll: boolean,
): Promise<{ readonly pages: readonly T[]; readonly nextCursor: string | undefined }> {
  const pages: T[] = [];
  for (let cursor = {}; ;) {
    const { data, meta } = await read(cursor);
    pages.push(data);
    const after = meta?.nextCursor;
    if (!isAll || after === undefined) return { pages, nextCursor: after };
    cursor = { after };
  }
}

/** The parameters of the path of a workflow. @throws UsageError for an id that would make another path */
export function named(workflowId: string): { readonly workflowId: string } {
  if (['', '.', '..'].includes(workflowId)) throw new UsageError(`An id must not be "${workflowId}".`);
  return { workflowId };
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
