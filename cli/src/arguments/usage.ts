import { nearest } from '../common/nearest';
import { seeHelp, UsageError, withHelpOf } from '../common/usage-error';

/** What the parser found wrong, with what was probably meant; an error of the command itself stays as it is. */
export function usageError(
  message: string | null,
  error: Error | undefined,
  words: readonly string[],
  parser: unknown,
): Error {
  const position = positionOf(parser, words);
  const help = seeHelp(position.path);
  if (error !== undefined && !isParserError(error)) return withHelpOf(position.path, error) as Error;
  const text = (message ?? error?.message ?? 'The command line is not valid').replaceAll(/\s*\n\s*/g, ' ');
  return (
    unknownCommand(text, position, words) ??
    unknownOption(text, parser, help) ??
    new UsageError(missing(text, position) ?? wrongValue(text) ?? sentence(text), help)
  );
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
  /** What may follow, for a word that only groups commands. */
  readonly commands: readonly string[];
}

/** The parser provides it, but its types do not declare it. */
function positionOf(parser: unknown, words: readonly string[]): CommandPosition {
  const { getUsage, getCommands } = parser as {
    readonly getUsage?: () => readonly (readonly string[])[];
    readonly getCommands?: () => readonly (readonly string[])[];
  };
  const [, ...usage] = getUsage?.()[0]?.[0]?.split(/\s+/) ?? [];
  const first = usage.findIndex((word) => !/^[a-z]+$/.test(word));
  const path = first < 0 ? usage : usage.slice(0, first);
  return {
    path: path.length === 0 ? commandOf(words) : path,
    needed: usage.flatMap((word) => /^<(.+)>$/.exec(word)?.[1] ?? []),
    commands: (getCommands?.() ?? []).map(([name = '']) => name.split(' ', 1)[0] ?? ''),
  };
}

/** The first words, which name the command. */
function commandOf(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[a-z]+$/.test(word));
  return words.slice(0, first < 0 ? 2 : Math.min(first, 2));
}

function isParserError({ name }: Error): boolean {
  return name === 'YError';
}

function unknownCommand(text: string, { path }: CommandPosition, words: readonly string[]): UsageError | undefined {
  const unknown = unknownNames(text);
  if (words[0] !== undefined && unknown[0] === words[0]) {
    return new UsageError(`There is no command ${words[0]}.`, seeHelp([]));
  }
  const named = commandOf(words).join(' ');
  if (text.startsWith('Did you mean ')) return new UsageError(`There is no command ${named}.`, text);
  if (!text.startsWith('Name a command of ') || words.length <= path.length) return undefined;
  return new UsageError(`There is no command ${named}.`, seeHelp(path));
}

function unknownOption(text: string, parser: unknown, help: string): UsageError | undefined {
  const unknown = unknownNames(text);
  if (unknown.length === 0) return undefined;
  const options = optionsOf(parser);
  const meant = [...new Set(unknown.flatMap((name) => nearest(name, options) ?? []))].map((name) => `--${name}`);
  return new UsageError(sentence(text), meant.length === 0 ? help : `Did you mean ${meant.join(', ')}?`);
}

function unknownNames(text: string): readonly string[] {
  return /^Unknown arguments?: (.*)$/.exec(text)?.[1]?.split(', ') ?? [];
}

function missing(text: string, { path, needed, commands }: CommandPosition): string | undefined {
  const given = /^Not enough non-option arguments: got (\d+)/.exec(text)?.[1];
  if (given !== undefined && commands.length > 0) return `Name a command of ${path.join(' ')}: ${commands.join(', ')}.`;
  if (given !== undefined) return `The argument <${needed[Number(given)] ?? needed.at(-1) ?? ''}> is missing.`;
  const option = /^Not enough arguments following: (\S+)$/.exec(text)?.[1];
  return option === undefined ? undefined : `--${option} needs a value.`;
}

function wrongValue(text: string): string | undefined {
  const match = /^Invalid values: Argument: (\S+), Given: (.+), Choices: (.+)$/.exec(text);
  if (match === null) return undefined;
  const [, name = '', given = '', choices = ''] = match;
  const found = given.startsWith('"') ? `; found ${given}` : '';
  return `--${name} must be one of ${choices.replaceAll('"', '')}${found}.`;
}

/** Names of the options of the command; the parser provides them, but its types do not declare them. */
function optionsOf(parser: unknown): readonly string[] {
  const { getDescriptions } = parser as { readonly getDescriptions?: () => object };
  return Object.keys(getDescriptions?.() ?? {});
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
