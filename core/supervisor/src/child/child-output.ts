import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Characters of a line that are kept; a plugin may print without ever ending a line. */
const maxLineLength = 32_768;

/**
 * Reads the lines of a stream; what a line has over {@link maxLineLength} is dropped, and noted at its end.
 * @returns resolves when the stream has ended
 */
export function readLines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  const decoder = new StringDecoder('utf8');
  let line = '';
  let dropped = 0;
  const append = (text: string): void => {
    const room = maxLineLength - line.length;
    line += text.slice(0, room);
    dropped += Math.max(0, text.length - room);
  };
  const finish = (): void => {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    onLine(dropped === 0 ? whole : `${whole} … (${dropped} more characters)`);
    line = '';
    dropped = 0;
  };
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      const [first = '', ...others] = decoder.write(chunk).split('\n');
      append(first);
      for (const other of others) {
        finish();
        append(other);
      }
    });
    stream.once('close', () => {
      if (line.length > 0) finish();
      resolve();
    });
    stream.on('error', () => {});
  });
}

/** The last output of Node after an uncaught error. */
const nodeEpilogue = /^Node\.js v\d/;
const errorLine = /^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)\b.*)$/;

/** @returns the error that ended a Node process, read from the last lines it printed; undefined when it was none. */
export function lastErrorOf(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line) => nodeEpilogue.test(line));
  if (end === -1) return lines.find((line) => line.startsWith('FATAL ERROR:'));
  const found = lines.slice(0, end).findLast((line) => errorLine.test(line));
  return found === undefined ? undefined : errorLine.exec(found)?.[1];
}
