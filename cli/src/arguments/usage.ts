import { nearest } from '../common/nearest';
import { seeHelp, UsageError, withHelpOf } from '../common/usage-error';

/**
 * The messages of the parser as data, for `updateStrings`: the kind of the problem, and what the parser fills in, a line
 * each. {@link usageError} makes the texts, so that it reads no English of the parser.
 */
export const parserMessages = {
  'Unknown argument: %s': bothNumbers('unknownArguments\n%s'),
  'Did you mean %s?': 'similarCommand\n%s',
  'Not enough non-option arguments: got %s, need at least %s': bothNumbers('missingArgument\n%s'),
  'Not enough arguments following: %s': 'missingValue\n%s',
  'Invalid values:': 'invalidValues',
  'Argument: %s, Given: %s, Choices: %s': '%s\n%s\n%s',
} as unknown as Readonly<Record<string, string>>;

/** The message of `demandCommand` where only a command is missing. */
export const commandIsMissing = 'missingCommand';

/** The problem that the parser found, with the probable meaning; an error of the command itself stays as it is. */
export function usageError(
  message: string | null,
  error: Error | undefined,
  words: readonly string[],
  parser: unknown,
): Error {
  const position = positionOf(parser, words);
  if (error !== undefined && !isParserError(error)) return withHelpOf(position.path, error) as Error;
  const text = message ?? error?.message ?? 'The command line is not valid';
  const [kind = '', ...values] = text.split(/\s*\n\s*/);
  const help = seeHelp(position.path);
  switch (kind) {
    case 'missingCommand':
      return missingCommand(position, words);
    case 'similarCommand':
      return new UsageError(`There is no command ${commandOf(words).join(' ')}.`, `Did you mean ${values.join(', ')}?`);
    case 'unknownArguments':
      return unknownArguments(values.join(' '), words, parser, help);
    case 'missingArgument':
      // A word that only groups commands needs the name of one as its argument.
      if (position.commands.length > 0) return missingCommand(position, words);
      return new UsageError(missingArgument(Number(values[0]), position), help);
    case 'missingValue':
      return new UsageError(`--${values.join(' ')} needs a value.`, help);
    case 'invalidValues':
      return new UsageError(invalidValue(values), help);
    default:
      return new UsageError(sentence(text.replaceAll(/\s*\n\s*/g, ' ')), help);
  }
}

/**
 * @param booleans Names of the options that take no value
 * @throws UsageError for `--dry-run=yes`, which the parser would take for a no
 */
export function assertFlags(words: readonly string[], booleans: readonly string[]): void {
  for (const word of words) {
    const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
    if (value === undefined || value === 'true' || value === 'false' || !booleans.includes(name)) continue;
    throw new UsageError(`--${name} must be true or false; found "${value}".`);
  }
}

/** The command to which the parser came. */
interface CommandPosition {
  readonly path: readonly string[];
  /** Names of the arguments that it needs. */
  readonly needed: readonly string[];
  /** The possible next words, for a word that only groups commands. */
  readonly commands: readonly string[];
}

/** The parser provides it, but its types do not declare it. */
function positionOf(parser: unknown, words: readonly string[]): CommandPosition {
  const { getUsage, getCommands } = parser as {
    readonly getUsage?: () => readonly (readonly string[])[];
    readonly getCommands?: () => readonly (readonly string[])[];
  };
  const [, ...usage] = getUsage?.()[0]?.[0]?.split(/\s+/) ?? [];
  const first = usage.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word));
  const path = first < 0 ? usage : usage.slice(0, first);
  return {
    path: path.length === 0 ? commandOf(words) : path,
    needed: usage.flatMap((word) => /^<(.+)>$/.exec(word)?.[1] ?? []),
    commands: (getCommands?.() ?? []).map(([name = '']) => name.split(' ', 1)[0] ?? ''),
  };
}

/** The first words, which name the command. */
function commandOf(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word));
  return words.slice(0, first < 0 ? 3 : Math.min(first, words[0] === 'call' ? 3 : 2));
}

function isParserError({ name }: Error): boolean {
  return name === 'YError';
}

function missingCommand({ path, commands }: CommandPosition, words: readonly string[]): UsageError {
  const named = commandOf(words);
  if (named.length > path.length) {
    return new UsageError(`There is no command ${named.join(' ')}.`, seeHelp(path));
  }
  const group = path.length === 0 ? '' : ` of ${path.join(' ')}: ${commands.join(', ')}`;
  return new UsageError(`Name a command${group}.`, seeHelp(path));
}

function unknownArguments(list: string, words: readonly string[], parser: unknown, help: string): UsageError {
  const unknown = list.split(', ');
  if (words[0] !== undefined && unknown[0] === words[0]) {
    return new UsageError(`There is no command ${words[0]}.`, seeHelp([]));
  }
  const options = optionsOf(parser);
  const meant = [...new Set(unknown.flatMap((name) => nearest(name, options) ?? []))].map((name) => `--${name}`);
  return new UsageError(
    `Unknown argument${unknown.length === 1 ? '' : 's'}: ${list}.`,
    meant.length === 0 ? help : `Did you mean ${meant.join(', ')}?`,
  );
}

function missingArgument(given: number, { needed }: CommandPosition): string {
  return `The argument <${needed[given] ?? needed.at(-1) ?? ''}> is missing.`;
}

function invalidValue([name = '', given = '', choices = '']: readonly string[]): string {
  const found = given.startsWith('"') ? `; found ${given}` : '';
  return `--${name} must be one of ${choices.replaceAll('"', '')}${found}.`;
}

/** The same text for one and for many, a form of message that the types of the parser do not declare. */
function bothNumbers(text: string) {
  return { one: text, other: text };
}

/** Names of the options of the command; the parser provides them, but its types do not declare them. */
function optionsOf(parser: unknown): readonly string[] {
  const { getDescriptions } = parser as { readonly getDescriptions?: () => object };
  return Object.keys(getDescriptions?.() ?? {});
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
