import { relative } from 'node:path';

/** A path as a person in `folder` types it: relative when it is below, absolute elsewhere. */
export function near(path: string, folder = process.cwd()): string {
  const short = relative(folder, path);
  return short === '' || short.startsWith('..') ? path : short;
}
