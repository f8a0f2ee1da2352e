/** Limits of an unpacked plugin. */
export const maxFiles = 50_000;
export const maxBytes = 512 * 2 ** 20;

/** How much that is, for messages. */
export const unpackLimit = `more than ${maxFiles} files or ${maxBytes / 2 ** 20} MB, the maximum of a plugin`;

/**
 * Bounds what comes out of a compressed file: descriptions of entries are kept in memory, and a small file may become a large one.
 * @param refuse makes the error
 */
export function limitBytes(refuse: () => Error) {
  let bytes = 0;
  return async function* (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw refuse();
      yield chunk;
    }
  };
}
