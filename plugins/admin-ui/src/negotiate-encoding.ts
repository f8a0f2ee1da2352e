import type { BuiltFile } from './read-built-files';

/** The smallest form of a file that a client accepts. A coding that is named with `q=0` is refused. */
export function negotiateEncoding(
  accepted: string | undefined,
  file: BuiltFile,
): { readonly encoding?: 'br' | 'gzip'; readonly body: Buffer } {
  const codings = acceptedCodings(accepted ?? '');
  if (file.brotli !== undefined && codings.has('br')) return { encoding: 'br', body: file.brotli };
  if (file.gzip !== undefined && codings.has('gzip')) return { encoding: 'gzip', body: file.gzip };
  return { body: file.body };
}

function acceptedCodings(header: string): ReadonlySet<string> {
  const entries = header.split(',').map((entry) => entry.trim().toLowerCase().split(';'));
  return new Set(
    entries.filter(([, quality]) => !/^\s*q=0(\.0*)?$/.test(quality ?? '')).map(([name = '']) => name.trim()),
  );
}
