import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { ensureFolder, unwritable } from './files';

const defaultMaxBytes = 10 * 1024 * 1024;
const keptLogs = 3;
/** The most bytes that wait to be written; on a disk that takes nothing any more, further lines are dropped. */
const maxPendingBytes = 16 * 1024 * 1024;

/** A log of bounded size: a full file becomes `.1`, the older ones move on, three are kept. */
export interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

/** @throws LauncherError when the folder or a file in it cannot be written. */
export function openLogFile(file: string, maxBytes = defaultMaxBytes): LogFile {
  rotateLog(file, maxBytes);
  let stream = openStream(file);
  let earlier: Promise<unknown> = Promise.resolve();
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const rotate = (): void => {
    const full = stream;
    try {
      moveOn(file);
      stream = openStream(file);
    } catch {
      // If no file can be moved or created, the present file is used further.
      return;
    } finally {
      size = 0;
    }
    earlier = Promise.all([earlier, end(full)]);
  };
  return {
    write: (line) => {
      if (stream.writableLength > maxPendingBytes) return;
      const text = `${line}\n`;
      size += Buffer.byteLength(text);
      stream.write(text);
      if (size > maxBytes) rotate();
    },
    close: async () => {
      await Promise.all([earlier, end(stream)]);
    },
  };
}

/**
 * Makes room before a log is opened.
 * @throws LauncherError when the folder or a file in it cannot be written.
 */
export function rotateLog(file: string, maxBytes = defaultMaxBytes): void {
  ensureFolder(dirname(file));
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxBytes) moveOn(file);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Opens a log to be continued, readable by its owner only. @returns the file descriptor.
 * @throws LauncherError when it cannot be written.
 */
export function openLog(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function openStream(file: string): WriteStream {
  const stream = createWriteStream(file, { fd: openLog(file) });
  // A full disk must not end the platform.
  stream.on('error', () => {});
  return stream;
}

function end(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.end(() => resolve());
  });
}

function moveOn(file: string): void {
  for (let number = keptLogs - 1; number >= 1; number -= 1) moveIfThere(`${file}.${number}`, `${file}.${number + 1}`);
  moveIfThere(file, `${file}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
