import type { Logger } from '@gantry/core-common';
import { openLogFile } from '../common/log-file';
import { levels, parseLine } from './format-line';
import { createLineLimit, defaultLineLimit } from './line-limit';
import type { LineLimitOptions } from './line-limit';
import { createScreen } from './screen';
import type { ScreenOptions } from './screen';

/** Where people and programs see what happens: the log file gets every line, the terminal what is worth interrupting for. */
export interface Output {
  /** The launcher's own lines. */
  readonly logger: Logger;
  /** A line that the host printed. */
  hostLine(line: string, stream: 'stdout' | 'stderr'): void;
  /** Text as it is, for the banner. */
  print(text: string): void;
  /** From now on the host's lines are shown as they come; before, they are held back for the case that it crashes. */
  showHostLines(): void;
  close(): Promise<void>;
}

export interface OutputOptions extends ScreenOptions {
  readonly logFile: string;
  readonly level: string;
  /** For lines of the host. */
  readonly lineLimit?: LineLimitOptions;
}

/** @throws LauncherError when the log file cannot be written. */
export function createOutput(options: OutputOptions): Output {
  const file = openLogFile(options.logFile);
  // A reader that ended (`gantry up | head`) must not end the platform.
  options.stdout.on('error', () => {});
  const screen = createScreen(options);
  const least = leastOf(options.level);
  const own = (level: number, msg: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    if (level < least) return;
    const time = new Date().toISOString();
    const json = JSON.stringify({ level, time, name: 'launcher', msg, ...fields });
    file.write(json);
    screen.own({ level, time, msg, ...fields }, json);
  };
  const { lineLimit = defaultLineLimit } = options;
  const limit = createLineLimit(lineLimit, (count) =>
    own(levels.warn, `${count} lines of the host were dropped: it prints more than the limit`, { ...lineLimit }),
  );
  return {
    logger: {
      info: (message, fields) => own(levels.info, message, fields),
      warn: (message, fields) => own(levels.warn, message, fields),
      error: (message, fields) => own(levels.error, message, fields),
    },
    hostLine: (text, stream) => {
      if (!limit.admits(text)) return;
      const line = parseLine(text);
      const json = line === undefined ? wrapped(text, stream) : text;
      file.write(json);
      screen.host(text, line, json);
    },
    print: (text) => screen.print(text),
    showHostLines: () => screen.release(),
    close: () => {
      limit.close();
      return file.close();
    },
  };
}

function leastOf(level: string): number {
  if (level === 'silent') return Infinity;
  return (levels as Readonly<Record<string, number>>)[level] ?? levels.info;
}

/** Text that is no structured line becomes one. */
function wrapped(msg: string, stream: 'stdout' | 'stderr'): string {
  const level = stream === 'stderr' ? levels.warn : levels.info;
  return JSON.stringify({ level, time: new Date().toISOString(), name: 'host', stream, msg });
}
