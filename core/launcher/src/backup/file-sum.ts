import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The checksum of a file. */
export interface FileSum {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

export function createFileSum(): { update(chunk: Buffer): void; result(): FileSum } {
  const hash = createHash('sha256');
  let size = 0;
  return {
    update(chunk) {
      size += chunk.length;
      hash.update(chunk);
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  };
}

/** Copies a file, brings it to the disk and sums what was copied. */
export async function copyFile(from: string, to: string, mode: number, signal: AbortSignal): Promise<FileSum> {
  const sum = createFileSum();
  const writable = createWriteStream(to, { flags: 'wx', mode, flush: true });
  await pipeline(
    createReadStream(from),
    passing((chunk) => sum.update(chunk)),
    writable,
    { signal },
  );
  return sum.result();
}

export async function sumFile(file: string, signal: AbortSignal): Promise<FileSum> {
  const sum = createFileSum();
  for await (const chunk of createReadStream(file, { signal })) sum.update(chunk as Buffer);
  return sum.result();
}

/** A stream that lets everything through and shows it to `look`. */
export function passing(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look(chunk);
      done(undefined, chunk);
    },
  });
}
