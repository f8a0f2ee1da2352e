import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Logger } from '../logger';
import { rotateLog } from '../rotate-log';
import { formatLine, isAboutRequest, levels, parseLine } from './format-line';

/** Where people and programs see what happens: the log file gets every line, the terminal what is worth interrupting for. */
export interface Output {
  /** The outer process's own lines. */
  readonly logger: Logger;
  /** A line that the host printed. */
  hostLine(line: string, stream: 'stdout' | 'stderr'): void;
  /** Text as it is, for the banner and for errors. */
  print(text: string, stream?: 'stdout' | 'stderr'): void;
  /** From now on the host's lines are shown as they come; before, they are held back for the case that it crashes. */
  showHostLines(): void;
  close(): Promise<void>;
}

export interface OutputOptions {
  readonly logFile: string;
  readonly level: string;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Readable text on a terminal, JSON lines elsewhere. */
  readonly readable: boolean;
  readonly colour: boolean;
}

export function createOutput(options: OutputOptions): Output {
  rotateLog(options.logFile);
  const file = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 });
  // A full disk must not end the platform, and a reader that went away (`gantry up | head`) not either.
  for (const stream of [file, options.stdout, options.stderr]) stream.on('error', () => {});
  const least =
    options.level === 'silent'
      ? Infinity
      : ((levels as Readonly<Record<string, number>>)[options.level] ?? levels.info);
  // While the host starts, the banner or the error at the end will say the same better; a crash in between brings them out.
  let held: string[] | undefined = [];

  const show = (text: string): void => {
    options.stdout.write(`${text}\n`);
  };
  const own = (level: number, msg: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    if (level < least) return;
    const now = new Date();
    const json = JSON.stringify({ level, time: now.toISOString(), name: 'launcher', msg, ...fields });
    file.write(`${json}\n`);
    if (level >= levels.error) for (const earlier of held?.splice(0) ?? []) show(earlier);
    show(options.readable ? formatLine({ level, time: now.getTime(), msg, ...fields }, options.colour) : json);
  };
  return {
    logger: {
      info: (message, fields) => own(levels.info, message, fields),
      warn: (message, fields) => own(levels.warn, message, fields),
      error: (message, fields) => own(levels.error, message, fields),
    },
    hostLine: (text, stream) => {
      const line = parseLine(text);
      const plain = {
        level: stream === 'stderr' ? levels.warn : levels.info,
        time: new Date().toISOString(),
        name: 'host',
        stream,
        msg: text,
      };
      const json = line === undefined ? JSON.stringify(plain) : text;
      file.write(`${json}\n`);
      if (!options.readable) return show(json);
      if (line === undefined) return show(text);
      if (line.level < levels.warn && (held !== undefined || isAboutRequest(line))) return undefined;
      const formatted = formatLine(line, options.colour);
      if (held === undefined) show(formatted);
      else held.push(formatted);
      return undefined;
    },
    print: (text, stream = 'stdout') => {
      options[stream].write(`${text}\n`);
    },
    showHostLines: () => {
      held = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        file.once('error', () => resolve());
        file.end(() => resolve());
      }),
  };
}
