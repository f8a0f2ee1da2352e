import { nearest } from '../nearest';
import { UsageError } from '../usage-error';

/** What the parser found wrong, with what was probably meant; an error of the command itself stays as it is. */
export function usageError(
  message: string | null,
  error: Error | undefined,
  words: readonly string[],
  parser: unknown,
): Error {
  if (error !== undefined && !isParserError(error)) return error;
  const text = (message ?? error?.message ?? 'The command line is not understood').replaceAll(/\s*\n\s*/g, ' ');
  const help = `See: gantry ${[...commandOf(words), '--help'].join(' ')}`;
  if (text.startsWith('Not enough non-option arguments')) return new UsageError('An argument is missing.', help);
  if (text.startsWith('Did you mean ')) {
    return new UsageError(`There is no command ${commandOf(words).join(' ')}.`, text);
  }
  const unknown = /^Unknown arguments?: (.*)$/.exec(text)?.[1]?.split(', ') ?? [];
  if (words[0] !== undefined && unknown[0] === words[0]) {
    return new UsageError(`There is no command ${words[0]}.`, 'See: gantry --help');
  }
  const options = optionsOf(parser);
  const meant = unknown.flatMap((name) => nearest(name, options) ?? []).map((name) => `--${name}`);
  return new UsageError(sentence(text), meant.length === 0 ? help : `Did you mean ${meant.join(', ')}?`);
}

function isParserError({ name }: Error): boolean {
  return name === 'YError';
}

/** The first words, which name the command. */
function commandOf(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[a-z]+$/.test(word));
  return words.slice(0, first < 0 ? 2 : Math.min(first, 2));
}

/** Names of the options of the command; the parser gives them, though its types do not say so. */
function optionsOf(parser: unknown): readonly string[] {
  const { getDescriptions } = parser as { readonly getDescriptions?: () => object };
  return Object.keys(getDescriptions?.() ?? {});
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
