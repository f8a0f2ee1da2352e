/** A file that is written piece by piece, text in UTF-8. */
export interface FileSink {
  write(piece: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** The file is complete. */
  close(): Promise<void>;
  /** Discards the file. */
  abort(): Promise<void>;
}

/** The part of the File System Access API that is used; TypeScript does not know it yet. */
type SavePicker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Opens a file on the reader's disk. Where the browser lets a page write to one, it goes there at once, however much
 * it is; elsewhere it is collected, which browsers do on disk for large files, and downloaded in the end.
 * @returns undefined when the reader chose none
 */
export async function openFile(name: string, mediaType: string): Promise<FileSink | undefined> {
  const picker = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (picker === undefined) return collected(name, mediaType);
  try {
    const handle = await picker.call(window, { suggestedName: name });
    return streamed(await handle.createWritable());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Some browsers have the function and refuse its use, for example in a frame.
    return collected(name, mediaType);
  }
}

/** The browser writes a temporary file and renames it when it is closed. */
function streamed(file: FileSystemWritableFileStream): FileSink {
  return { write: (piece) => file.write(piece), close: () => file.close(), abort: () => file.abort() };
}

function collected(name: string, mediaType: string): FileSink {
  const parts: Blob[] = [];
  return {
    async write(piece) {
      // It becomes a Blob at once: the browser may keep those on disk.
      parts.push(new Blob([piece]));
    },
    async close() {
      const address = URL.createObjectURL(new Blob(parts, { type: mediaType }));
      Object.assign(document.createElement('a'), { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
    async abort() {
      parts.splice(0);
    },
  };
}
