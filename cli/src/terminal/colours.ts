import { styleText } from 'node:util';

/** Marks text; gives it back as it is where colours are not wanted. */
export type Colours = Readonly<Record<(typeof names)[number], (text: string) => string>>;

const names = ['bold', 'dim', 'red', 'green', 'yellow'] as const;

/** Colours on a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal knows none. */
export function createColours(stream: NodeJS.WriteStream, environment: Readonly<NodeJS.ProcessEnv>): Colours {
  const isWanted = stream.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const paint = (name: (typeof names)[number]) => (text: string) =>
    isWanted ? styleText(name, text, { validateStream: false }) : text;
  return Object.fromEntries(names.map((name) => [name, paint(name)])) as Record<
    (typeof names)[number],
    (text: string) => string
  >;
}
