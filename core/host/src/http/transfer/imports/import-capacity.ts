import { GantryError } from '@gantry/plugin-api';

/** What all imports of a host may hold at the same time. */
export interface ImportCapacity {
  /**
   * Runs work on a body that is arriving. A client that sends slowly holds a file and nothing else.
   * @throws GantryError UNAVAILABLE when too many bodies arrive, or too many bytes of them are on disk
   */
  receive(bytes: AsyncIterable<Uint8Array>, work: (counted: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void>;
  /** Runs the import of a body that has arrived. @throws GantryError UNAVAILABLE when too many run */
  run(work: () => Promise<void>): Promise<void>;
}

/** Each holds a connection of the writes. */
const maxRunning = 2;

/** Each holds a file. */
const maxBodies = 64;

/** In files of the longest length that an import may have. */
const maxFiles = 4;

/** @param limit bytes of a file at most */
export function createImportCapacity(limit: number): ImportCapacity {
  let running = 0;
  let bodies = 0;
  let bytesOnDisk = 0;
  return {
    async receive(bytes, work) {
      if (bodies >= maxBodies) throw unavailable(`${maxBodies} files are already being uploaded`);
      bodies += 1;
      let own = 0;
      try {
        await work(
          counted(bytes, (length) => {
            if (bytesOnDisk + length > maxFiles * limit) throw unavailable('Too many files are being uploaded');
            own += length;
            bytesOnDisk += length;
          }),
        );
      } finally {
        bodies -= 1;
        bytesOnDisk -= own;
      }
    },
    async run(work) {
      if (running >= maxRunning) throw unavailable(`${maxRunning} imports are already in progress`);
      running += 1;
      try {
        await work();
      } finally {
        running -= 1;
      }
    },
  };
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (length: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    onChunk(chunk.byteLength);
    yield chunk;
  }
}

function unavailable(reason: string): GantryError {
  return new GantryError('UNAVAILABLE', `${reason}. Try again when one of them is done.`);
}
