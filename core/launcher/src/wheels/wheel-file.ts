import { open } from 'node:fs/promises';
import { createHash } from 'node:crypto';

/** A file that is written and summed piece by piece. */
export interface WheelFile {
  write(chunk: Buffer): Promise<void>;
  close(): Promise<void>;
  /** The SHA-256 sum of what was written, in hexadecimal digits. */
  sum(): string;
}

/** Replaces the content of a file that is there. */
export async function createWheelFile(path: string): Promise<WheelFile> {
  const handle = await open(path, 'w', 0o600);
  const hash = createHash('sha256');
  return {
    async write(chunk) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    },
    close: () => handle.close(),
    sum: () => hash.copy().digest('hex'),
  };
}
