import { platformAddress } from '@gantry/client/platform';
import type { Failure, ImportLine, ImportReport } from '@gantry/contracts';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { fetchFrom, refusalOf } from '../../context/running-platform';
import type { ExportRun, ImportRun } from './items-runs';

/** The file of an export, as it arrives. @throws Error with the message of the platform */
export async function* exportOverHttp(
  context: CommandContext,
  url: string,
  { type, format, delimiter, ids, safeCsv, keepEmpty, where, signal }: ExportRun,
): AsyncGenerator<Uint8Array, void, undefined> {
  const query = onlyGiven({ format, delimiter, ids, safeCsv, keepEmpty });
  const path = platformAddress('POST', '/api/cms/exports/{type}', { path: { type }, query });
  const body = JSON.stringify(where);
  const sent = { method: 'POST', mediaType: mediaTypes.json, body, signal, isChange: false } as const;
  const response = await fetchFrom(context, url, path, sent);
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
  const query = onlyGiven({
    ...{ delimiter, ids, safeCsv, keepIds, keepEmpty, dryRun, ignoreUnknown },
    match: run.match.join(','),
    map: jsonOf(run.map),
    set: jsonOf(run.set),
  });
  const path = platformAddress('POST', '/api/cms/imports/{type}', { path: { type }, query });
  const sent = { method: 'POST', mediaType: mediaTypes[run.format], accept: mediaTypes.jsonl, body: bytes } as const;
  const response = await fetchFrom(context, url, path, { ...sent, signal, isChange: !dryRun });
  if (response.body === null || !isFollowed(response)) throw await refused(response);
  for await (const line of linesOf(response.body)) {
    const parsed = JSON.parse(line) as ImportLine;
    if ('data' in parsed) return parsed.data;
    if ('error' in parsed) throw refusalOf(response.status, parsed);
    onLine(parsed);
  }
  throw withRemedy(
    `${url} has closed the connection during the import.`,
    'Check whether the items were imported before you try again.',
  );
}

const mediaTypes = { csv: 'text/csv', json: 'application/json', jsonl: 'application/x-ndjson' } as const;

function isFollowed({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/x-ndjson') ?? false;
}

/** Options that are off, or empty, are not sent. */
function onlyGiven<Options extends Readonly<Record<string, string | boolean>>>(options: Options): Partial<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== false && value !== '');
  return Object.fromEntries(given) as Partial<Options>;
}

function jsonOf(map: ReadonlyMap<string, string>): string {
  return map.size === 0 ? '' : JSON.stringify(Object.fromEntries(map));
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
