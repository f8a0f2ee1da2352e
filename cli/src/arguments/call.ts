import type { PlatformSchema } from '@gantry/client/platform';
import { plain } from '../common/plain';
import { UsageError } from '../common/usage-error';
import { command, group, type Command } from './command';
import { flag, word, words } from './options';

type PluginCommand = PlatformSchema<'PluginCommand'>;
type Value = PluginCommand['values'][number];

/** An argument or option of a command, by its name on the command line. */
type NamedValues = ReadonlyMap<string, Value>;

/** Names of options that every command has. */
const commonOptions: readonly string[] = ['home', 'url', 'json', 'verbose', 'help', 'version'];

/** `gantry call …` @param offered what the plugins of the running platform offer to the caller */
export function callCommand(offered: readonly PluginCommand[]): Command {
  const plugins = [...new Set(offered.map(({ plugin }) => plugin))];
  return group(
    'call',
    'Run a command of a plugin of the running platform',
    plugins.map((id) => {
      const own = offered.filter(({ plugin }) => plugin === id);
      return group(id, `Commands of the plugin ${id}`, own.map(commandOf));
    }),
  );
}

function commandOf(offered: PluginCommand): Command {
  const { name, summary, description } = offered;
  const named = namedValues(offered);
  const entries = [...named];
  const places = entries.flatMap(([argument, { in: part }]) => (part === 'path' ? ` <${argument}>` : []));
  return command<object>({
    command: `${name}${places.join('')}`,
    describe: plain(summary),
    builder: (parser) => {
      for (const [option, value] of entries) {
        if (value.in === 'path') parser.positional(option, { type: 'string', demandOption: true, ...textOf(value) });
        else parser.option(option, optionOf(value));
      }
      return description === undefined ? parser : parser.epilogue(plain(description));
    },
    isRemote: true,
    run: async (context, args) =>
      (await import('../commands/call.js')).callPlugin(context, offered, requestOf(named, args as Given)),
  });
}

/** Options are named as options of the platform are; one whose name is taken has the part of the request before it. */
function namedValues({ values }: Pick<PluginCommand, 'values'>): NamedValues {
  const named = new Map<string, Value>();
  for (const value of values) {
    let name = hyphenated(value.name);
    while (commonOptions.includes(name) || named.has(name)) name = `${value.in}-${name}`;
    named.set(name, value);
  }
  return named;
}

function hyphenated(name: string): string {
  const text = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'value';
}

function textOf({ description, choices }: Value) {
  return { describe: plain(description ?? ''), ...(choices === undefined ? {} : { choices }) };
}

function optionOf(value: Value) {
  const { kind, isList, required: demandOption, description } = value;
  if (kind === 'boolean' && isList === undefined) {
    return { ...flag(plain(description ?? '')), default: undefined, demandOption };
  }
  const describe = kind === 'json' ? [plain(description ?? ''), 'as JSON'].filter(Boolean).join(', ') : '';
  const option = isList === undefined ? word(describe) : { ...words(describe), default: undefined };
  return { ...option, ...(kind === 'json' ? {} : textOf(value)), demandOption };
}

type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The given values by part of the request; the body is JSON text. @throws UsageError for a value that is no JSON */
function requestOf(named: NamedValues, args: Given) {
  const path: Record<string, string> = {};
  const query: Record<string, string> = {};
  const members: string[] = [];
  let body: string | undefined;
  for (const [option, value] of named) {
    const text = args[option];
    if (text === undefined) continue;
    if (value.in !== 'body') (value.in === 'path' ? path : query)[value.name] = String(text);
    else if (value.isWhole) body = jsonOf(option, value, text);
    else members.push(`${JSON.stringify(value.name)}:${jsonOf(option, value, text)}`);
  }
  const hasMembers = [...named.values()].some(({ in: part, isWhole }) => part === 'body' && !isWhole);
  return { path, query, body: hasMembers ? `{${members.join(',')}}` : body };
}

function jsonOf(option: string, { kind, isList }: Value, value: NonNullable<Given[string]>): string {
  const texts = [value].flat().map((one) => jsonText(option, kind, String(one)));
  return isList ? `[${texts.join(',')}]` : (texts[0] ?? '');
}

/** A number keeps its digits; the platform refuses what is none. */
function jsonText(option: string, kind: Value['kind'], text: string): string {
  if (kind === 'text') return JSON.stringify(text);
  if (kind === 'number' && !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return JSON.stringify(text);
  if (kind === 'json' && !isJson(text)) throw new UsageError(`--${option} must be JSON; found ${text}`);
  return text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
