import type { Readable } from 'node:stream';
/** Stored files, by their content. */
export interface StoredName {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string;
  /** The ending of the name: that of an image, or `file`. */
  readonly format: string;
}

/** Positions of bytes, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An original. */
export interface StoredImage {
  /** Of all of it, also where a part is read. */
  readonly bytes: number;
  /** To be read to its end, or destroyed. */
  readonly content: Readable;
}

/** Where the originals are. What fails is UNAVAILABLE. */
export interface ImageStorage {
  /** For log lines and messages, for example `the bucket pictures`. */
  readonly title: string;
  /** Stores a finished file, all of it or nothing. Resolves with false when it was there already. */
  store(name: StoredName, file: { readonly path: string; readonly bytes: number }): Promise<boolean>;
  /** @param range within its bytes; all of it unless given */
  open(name: StoredName, range?: ByteRange): Promise<StoredImage | undefined>;
  /** @throws GantryError UNAVAILABLE */
  assertReachable(): Promise<void>;
}
