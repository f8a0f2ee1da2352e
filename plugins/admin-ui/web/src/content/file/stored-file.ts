/** A file as its address describes it. */
export interface StoredFile {
  readonly url: string;
  readonly name: string;
  readonly bytes: number;
}

/** The file that a value is the address of, `/media/files/<hash>/<bytes>/<name>`; undefined for any other value. */
export function storedFile(value: unknown): StoredFile | undefined {
  if (typeof value !== 'string') return undefined;
  const [, bytes, name] = /^\/(?!\/)[\w/-]+\/[0-9a-f]{64}\/(\d+)\/([^/?#]+)$/.exec(value) ?? [];
  if (bytes === undefined || name === undefined) return undefined;
  try {
    return { url: value, name: decodeURIComponent(name), bytes: Number(bytes) };
  } catch {
    return undefined;
  }
}

const units = ['B', 'kB', 'MB', 'GB'] as const;

/** The size in words of people: `47 kB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = (bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 });
  return `${value} ${units[power]}`;
}
