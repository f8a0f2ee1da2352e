import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { GantryError, serviceToken, type Logger } from '@gantry/plugin-api';
import { createIncomingPath, type Folders } from '../files';
import { headLength } from '../images/formats';
import { logCauses } from '../log-causes';
import { receiveFile } from '../uploads/receive-file';
import type { ByteRange, ImageStorage } from '../storage/image-storage';
import { storageFailure } from '../storage/storage-failure';
import { addressOfFile, parseFileAddress } from './file-address';
import { cleanFileName } from './file-name';
import { describeTypes, fileTypeOf, isAmong } from './file-types';

/** The facts about a stored file. */
export interface FileDescription {
  /** The value for a field of the kind `media.File`. */
  readonly url: string;
  /** Without the parts of the sent name that it must not have, such as a path. */
  readonly name: string;
  /** By the ending of the name. */
  readonly mediaType: string;
  readonly bytes: number;
}

/** The bytes of a stored file. */
export interface FileContent extends FileDescription {
  /** To be read to its end, or destroyed. */
  readonly content: Readable;
}

/** The files that the platform keeps beside its images, for other plugins. */
export interface FileStore {
  /**
   * Stores a file under its content; `created` is false when the same bytes were stored before.
   * @throws GantryError BAD_REQUEST, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE for a file that is not taken, UNAVAILABLE while
   *   the storage cannot be used
   */
  store(
    bytes: AsyncIterable<Uint8Array>,
    name: string,
  ): Promise<{ readonly file: FileDescription; readonly created: boolean }>;
  /**
   * Opens the file that a field names; undefined when it is not stored here.
   * @param range positions of bytes within the file, both included: `content` is that part; all of it unless given
   * @throws GantryError UNAVAILABLE while the storage cannot be used
   */
  open(url: string, range?: ByteRange): Promise<FileContent | undefined>;
}

export const fileStore = serviceToken<FileStore>('media.fileStore');

export interface FileStoreDependencies {
  readonly storage: ImageStorage;
  readonly folders: Folders;
  readonly maxFileBytes: number;
  /** Media types that are taken. */
  readonly fileTypes: readonly string[];
}

export function createFileStore(dependencies: () => FileStoreDependencies, logger: Logger): FileStore {
  return {
    store: logCauses(logger, (bytes, name) => storeFile(bytes, name, dependencies())),
    open: logCauses(logger, async (url, range) => {
      const address = parseFileAddress(url);
      const found = address && (await dependencies().storage.open(storedName(address.hash), range));
      if (address === undefined || found === undefined) return undefined;
      if (found.bytes === address.bytes) return { ...found, ...describe(url, address) };
      found.content.destroy();
      return undefined;
    }),
  };
}

/** A file is stored once under any name, apart from images, which others may see. */
function storedName(hash: string) {
  return { hash, format: 'file' } as const;
}

function describe(url: string, { name, bytes }: { readonly name: string; readonly bytes: number }): FileDescription {
  return { url, name, mediaType: fileTypeOf(name).mediaType, bytes };
}

async function storeFile(
  bytes: AsyncIterable<Uint8Array>,
  given: string,
  { storage, folders, maxFileBytes, fileTypes }: FileStoreDependencies,
) {
  const name = cleanFileName(given);
  if (name === '') throw new GantryError('BAD_REQUEST', 'The file has no name. Send one such as report.pdf.');
  assertTaken(name, fileTypes);
  const file = await receiveFile(bytes, createIncomingPath(folders), maxFileBytes, 'A file').catch((error: unknown) => {
    throw storageFailure('the folder of the files', error);
  });
  try {
    if (file.bytes === 0) throw new GantryError('BAD_REQUEST', `The file ${name} is empty. Send its bytes.`);
    await assertContent(file.path, name);
    const address = { hash: file.hash, bytes: file.bytes, name };
    const created = await storage.store(storedName(file.hash), file);
    return { file: describe(addressOfFile(address), address), created };
  } finally {
    await rm(file.path, { force: true });
  }
}

/** Before the bytes are read. */
function assertTaken(name: string, fileTypes: readonly string[]): void {
  const { mediaType } = fileTypeOf(name);
  if (isAmong(mediaType, fileTypes)) return;
  throw new GantryError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file ${name} is of the type ${mediaType}, which is not accepted. Accepted are ${describeTypes(fileTypes)}.`,
  );
}

async function assertContent(path: string, name: string): Promise<void> {
  const { begins, mediaType } = fileTypeOf(name);
  if (begins === undefined) return;
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
    if (begins(buffer.subarray(0, bytesRead))) return;
  } finally {
    await handle.close();
  }
  throw new GantryError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file ${name} does not begin as ${mediaType} does. Give it the ending that its content has.`,
  );
}
