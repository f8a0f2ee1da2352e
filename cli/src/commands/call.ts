import { isJsonObject } from '@gantry/core-common';
import { randomUUID } from 'node:crypto';
import type { Failure } from '@gantry/contracts';
import type { PlatformSchema } from '@gantry/client/platform';
import { plain } from '../common/plain';
import { UsageError } from '../common/usage-error';
import { fetchFrom, readRoute, refusalOf, requiredAddress } from '../context/running-platform';
import type { CommandContext } from '../context/command-context';
import { table } from '../terminal/table';

type PluginCommand = PlatformSchema<'PluginCommand'>;

interface Offered {
  /** Absent in answers of a platform that is older than commands of plugins. */
  readonly data: readonly PluginCommand[];
}

/** The commands that plugins of the running platform offer to the caller. @throws Error with a remedy where no platform runs */
export async function offeredCommands(context: CommandContext): Promise<readonly PluginCommand[]> {
  const answer = (await readRoute('GET', '/api/platform/commands', {}, context)) as Partial<Offered> | undefined;
  return answer?.data ?? [];
}

/** The given values of a command, by part of the request. */
export interface GivenValues {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string | undefined;
}

/** `gantry call <plugin> <command>`: sends the request, and prints what the route answers. */
export async function callPlugin(context: CommandContext, command: PluginCommand, given: GivenValues): Promise<number> {
  const { method, needsKey } = command;
  const response = await fetchFrom(context, requiredAddress(context), addressOf(command, given), {
    method,
    ...(given.body === undefined ? {} : { mediaType: 'application/json', body: given.body }),
    ...(needsKey === undefined ? {} : { idempotencyKey: randomUUID() }),
    isChange: method !== 'GET',
  });
  if (!response.ok) {
    throw refusalOf(response.status, (await response.json().catch(() => ({}))) as Partial<Failure>);
  }
  await printAnswer(context, response);
  return 0;
}

function addressOf({ path: template }: PluginCommand, { path, query }: GivenValues): string {
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = path[name] ?? '';
    if (['', '.', '..'].includes(text)) throw new UsageError(`The argument <${name}> must not be "${text}".`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams(query);
  return search.size === 0 ? address : `${address}?${search.toString()}`;
}

/** For a program, the answer as the platform sends it. What is no JSON, such as a file, is written as it is in any case. */
async function printAnswer({ terminal, json }: CommandContext, response: Response): Promise<void> {
  if (response.status === 204) {
    if (json) terminal.printJson(null);
    else terminal.note('Done.');
    return;
  }
  if (!/^application\/json\b/.test(response.headers.get('content-type') ?? '')) {
    for await (const bytes of response.body ?? []) terminal.stdout.write(bytes);
    return;
  }
  const text = await response.text();
  if (json) {
    terminal.print(text);
    return;
  }
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  terminal.print(shown(data));
}

/** Objects as a table, one as lines, and the members that are no scalars as JSON. */
function shown(data: unknown): string {
  if (!Array.isArray(data)) return isJsonObject(data) ? linesOf(data) : scalar(data);
  if (data.length === 0) return 'No results';
  if (!data.every(isJsonObject)) return data.map(scalar).join('\n');
  const names = [...new Set(data.flatMap((row) => Object.keys(row)))];
  return table(
    names.map((name) => plain(name).toUpperCase()),
    data.map((row) => names.map((name) => scalar(row[name]))),
  );
}

function linesOf(data: Readonly<Record<string, unknown>>): string {
  const [first = ['', ''], ...rows] = Object.entries(data).map(([name, value]) => [plain(name), scalar(value)]);
  return table(first, rows);
}

function scalar(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
