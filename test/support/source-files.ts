import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of the source files below a folder. */
export function sourceFiles(folder: string, name = /\.ts$/): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file));
}

/** The lines of a source file that are no comments. */
export function codeLines(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));
}
