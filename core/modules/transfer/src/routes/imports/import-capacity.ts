import { createSharedResource, sharedResources, type Holding } from '@gantry/core-http';

/** Limits of all imports of a host at the same time. */
export interface ImportCapacity {
  /**
   * Runs work on a body that is arriving. A client that sends slowly holds a file and nothing else.
   * @throws GantryError TOO_MANY_REQUESTS, UNAVAILABLE when too many bodies arrive, or too many bytes of them are on disk
   */
  receive<T>(
    holder: string,
    bytes: AsyncIterable<Uint8Array>,
    work: (counted: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
  /** Runs the import of a body that has arrived. @throws GantryError TOO_MANY_REQUESTS, UNAVAILABLE when too many run */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
}

/** On disk, in files of the longest length that an import may have. */
const [maxFiles, shareOfFiles] = [4, 2];

/** @param limit bytes of a file at most */
export function createImportCapacity(limit: number): ImportCapacity {
  const files = createSharedResource(sharedResources.importedFiles);
  const imports = createSharedResource(sharedResources.imports);
  const bytesOnDisk = createSharedResource({
    what: 'bytes of files that are imported',
    max: maxFiles * limit,
    share: shareOfFiles * limit,
  });
  return {
    receive: (holder, bytes, work) =>
      files.run(holder, async () => {
        const onDisk = bytesOnDisk.hold(holder, 0);
        try {
          return await work(counted(bytes, onDisk));
        } finally {
          onDisk.release();
        }
      }),
    run: (holder, work) => imports.run(holder, work),
  };
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onDisk: Holding,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    onDisk.add(chunk.byteLength);
    yield chunk;
  }
}
