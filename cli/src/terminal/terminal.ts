import type { Writable } from 'node:stream';
import { createColours, type Colours } from './colours';

/** Where a command writes: its result to standard output, all else to standard error. */
export interface Terminal {
  /** A part of the result. */
  print(text: string): void;
  /** The result for a program: one JSON document `{ "data": … }`. */
  printJson(data: unknown, meta?: Readonly<Record<string, unknown>>): void;
  /** Notes for a person, in addition to the result. */
  note(text: string): void;
  error(text: string): void;
  /** Whether a person watches standard error, so that progress is worth showing. */
  readonly isWatched: boolean;
  readonly colours: Colours;
  readonly stdout: Writable;
  readonly stderr: NodeJS.WriteStream;
}

export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  const errorColours = createColours(stderr, env);
  return {
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (data, meta) =>
      void stdout.write(`${JSON.stringify(meta === undefined ? { data } : { data, meta }, undefined, 2)}\n`),
    note: (text) => void stderr.write(`${errorColours.dim(text)}\n`),
    error: (text) => void stderr.write(`${errorColours.red(text)}\n`),
    isWatched: stderr.isTTY,
    colours: createColours(stdout, env),
    stdout,
    stderr,
  };
}
