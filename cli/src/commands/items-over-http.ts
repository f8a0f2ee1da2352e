import type { Failure, ImportLine, ImportReport } from '@gantry/contracts';
import { noAnswer } from '../common/no-answer';
import { withRemedy } from '../common/with-remedy';
import type { CommandContext } from '../context/command-context';
import { credentialsFor } from '../context/credentials';
import { refusalOf } from '../context/running-platform';
import type { ExportRun, ImportRun } from './items-runs';

/** The file of an export, as it arrives. @throws Error with the message of the platform */
export async function* exportOverHttp(
  context: CommandContext,
  url: string,
  { type, format, delimiter, ids, safeCsv, keepEmpty, where, signal }: ExportRun,
): AsyncGenerator<Uint8Array, void, undefined> {
  const target = new URL(`/api/cms/exports/${encodeURIComponent(type)}`, url);
  target.search = queryOf({ format, delimiter, ids, safeCsv, keepEmpty });
  const headers = { ...credentialsFor(context, url), 'content-type': 'application/json' };
  const body = JSON.stringify(where);
  const response = await ask(url, target, { method: 'POST', headers, body, signal, isChange: false });
  if (!response.ok || response.body === null) throw await refused(response);
  try {
    yield* response.body;
  } catch (error) {
    signal.throwIfAborted();
    throw withRemedy(`${url} has closed the connection before the file was complete.`, 'Export it again.', error);
  }
}

type Following = Extract<ImportLine, { readonly progress: unknown } | { readonly problem: unknown }>;

/** Sends a file, and follows its import. @throws Error with the message of the platform */
export async function importOverHttp(
  context: CommandContext,
  url: string,
  run: ImportRun & { readonly bytes: AsyncIterable<Uint8Array> },
  onLine: (line: Following) => void,
): Promise<ImportReport> {
  const { type, bytes, signal, delimiter, ids, safeCsv, keepIds, keepEmpty, dryRun, ignoreUnknown } = run;
  const target = new URL(`/api/cms/imports/${encodeURIComponent(type)}`, url);
  target.search = queryOf({
    ...{ delimiter, ids, safeCsv, keepIds, keepEmpty, dryRun, ignoreUnknown },
    match: run.match.join(','),
    map: jsonOf(run.map),
    set: jsonOf(run.set),
  });
  const headers = {
    ...credentialsFor(context, url),
    'content-type': mediaTypes[run.format],
    accept: 'application/x-ndjson',
  };
  const sent = { method: 'POST', headers, body: bytes, duplex: 'half' } as const;
  const response = await ask(url, target, { ...sent, signal, isChange: !dryRun });
  if (response.body === null || !isFollowed(response)) throw await refused(response);
  for await (const line of linesOf(response.body)) {
    const parsed = JSON.parse(line) as ImportLine;
    if ('data' in parsed) return parsed.data;
    if ('error' in parsed) throw refusalOf(response.status, parsed);
    onLine(parsed);
  }
  throw withRemedy(`${url} has closed the connection during the import.`, 'Look at the items before you try again.');
}

const mediaTypes = { csv: 'text/csv', json: 'application/json', jsonl: 'application/x-ndjson' } as const;

function isFollowed({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/x-ndjson') ?? false;
}

/** Options that are off, or empty, are not sent. */
function queryOf(options: Readonly<Record<string, string | boolean>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== false && value !== '');
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

function jsonOf(map: ReadonlyMap<string, string>): string {
  return map.size === 0 ? '' : JSON.stringify(Object.fromEntries(map));
}

interface ItemsRequest extends RequestInit {
  readonly signal: AbortSignal;
  readonly isChange: boolean;
}

async function ask(url: string, target: URL, { isChange, ...request }: ItemsRequest): Promise<Response> {
  try {
    return await fetch(target, request);
  } catch (error) {
    request.signal.throwIfAborted();
    throw noAnswer(url, { error, isChange });
  }
}

async function refused(response: Response): Promise<Error> {
  return refusalOf(response.status, (await response.json().catch(() => ({}))) as Partial<Failure>);
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
