import type { Writable } from 'node:stream';
import { truncate } from '@gantry/core-common';
import { formatLine, isAboutRequest, levels } from './format-line';
import type { LogLine } from './format-line';

export interface ScreenOptions {
  readonly stdout: Writable;
  /** Readable text on a terminal, JSON lines elsewhere. */
  readonly readable: boolean;
  readonly colour: boolean;
}

/** The part of the log that a person sees in the terminal. */
export interface Screen {
  /** A line of the launcher itself; an error brings out what the host has said before. */
  own(line: LogLine, json: string): void;
  /** A line of the host; without `line` it was no structured one. */
  host(text: string, line: LogLine | undefined, json: string): void;
  print(text: string): void;
  /** Ends that lines of the host are held back, and forgets those that were. */
  release(): void;
}

export function createScreen({ stdout, readable, colour }: ScreenOptions): Screen {
  // While the host starts, the banner or the error at the end will say the same better; a crash in between brings them out.
  let held: string[] | undefined = [];
  const print = (text: string): void => {
    stdout.write(`${text}\n`);
  };
  return {
    own: (line, json) => {
      if (line.level >= levels.error) for (const earlier of held?.splice(0) ?? []) print(earlier);
      print(readable ? formatLine(line, colour) : json);
    },
    host: (text, line, json) => {
      if (!readable) return print(json);
      if (line === undefined) return print(shorten(text));
      if (line.level < levels.warn && (held !== undefined || isAboutRequest(line))) return undefined;
      const formatted = shorten(formatLine(line, colour));
      if (held === undefined) print(formatted);
      else held.push(formatted);
      return undefined;
    },
    print,
    release: () => {
      held = undefined;
    },
  };
}

/** A line of this length fills a terminal; the whole one is in the log file. */
const maxShownLength = 2_000;

function shorten(text: string): string {
  return truncate(text, maxShownLength, ' …');
}
