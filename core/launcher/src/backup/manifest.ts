import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '@gantry/core-common';
import { writeAtomically } from '../common/files';
import { LauncherError } from '../common/launcher-error';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
/** Relative, with slashes, and not out of the folder. */
const path = z.string().refine((text) => text !== '' && !/^\/|(^|\/)\.\.(\/|$)|\0/.test(text));

const fileSchema = z.object({ path, mode: count, size: count, sha256 });
const linkSchema = z.object({ path, link: z.string() });

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  /** Stored columns, in the order of the file. */
  columns: z.array(z.string()).readonly(),
  file: path,
  rows: count,
  sum: count,
  size: count,
  sha256,
});
const sequenceSchema = z.object({ schema: z.string(), name: z.string(), lastValue: z.string(), isCalled: z.boolean() });

const contentSchema = z.object({
  createdAt: z.string(),
  platformVersion: z.string(),
  postgresVersion: z.string(),
  beforeData: z.array(z.string()).readonly(),
  afterData: z.array(z.string()).readonly(),
  tables: z.array(tableSchema).readonly(),
  sequences: z.array(sequenceSchema).readonly(),
  /** Absent when no embedded Temporal has run in the home. */
  temporal: z
    .object({
      /** Milliseconds; absent when it did not run. */
      pausedMs: z.number().optional(),
      files: z.array(fileSchema).readonly(),
    })
    .optional(),
  files: z.array(z.union([fileSchema, linkSchema])).readonly(),
  leftOut: z.array(z.string()).readonly(),
});

const manifestSchema = z.object({ formatVersion: z.number(), sha256, content: z.unknown() });

/** The content of a backup, with the sums of all files. */
export type Manifest = Readonly<z.infer<typeof contentSchema>>;
export type BackedUpTable = Readonly<z.infer<typeof tableSchema>>;
export type BackedUpSequence = Readonly<z.infer<typeof sequenceSchema>>;
export type BackedUpFile = Readonly<z.infer<typeof fileSchema>>;
export type BackedUpLink = Readonly<z.infer<typeof linkSchema>>;

const formatVersion = 1;
const fileName = 'manifest.json';

/** Where a backup keeps what, below its folder. */
export const backupFolders = { tables: 'tables', temporal: 'temporal', files: 'files' } as const;

/** Written last: a folder without it is no backup. */
export function writeManifest(folder: string, content: Manifest): void {
  const manifest = { formatVersion, sha256: sumOf(content), content };
  writeAtomically(join(folder, fileName), `${JSON.stringify(manifest, undefined, 1)}\n`);
}

/** @throws LauncherError when the folder holds no backup that this version can read. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, fileName);
  const outer = manifestSchema.safeParse(parse(folder, read(folder, file)));
  if (!outer.success) throw damaged(folder, `${fileName} is not the list of a backup`);
  if (outer.data.formatVersion !== formatVersion) {
    throw new LauncherError(
      `${folder} is a backup of format ${outer.data.formatVersion}, and this Gantry reads format ${formatVersion}.`,
      'Use the version of Gantry that wrote it, or a newer one.',
    );
  }
  if (sumOf(outer.data.content) !== outer.data.sha256) throw damaged(folder, `${fileName} has changed`);
  const content = contentSchema.safeParse(outer.data.content);
  if (content.success) return content.data;
  throw damaged(folder, `${fileName} lacks ${content.error.issues[0]?.path.join('.') ?? 'a part'}`);
}

function read(folder: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error;
    throw new LauncherError(
      `${folder} is not a backup: it has no ${fileName}.`,
      'Name a folder that "gantry backup" has written; one that was interrupted is not complete.',
      { cause: error },
    );
  }
}

function parse(folder: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(folder, `${fileName} is not JSON`);
  }
}

function sumOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The sentence for a backup that cannot be trusted. */
export function damaged(folder: string, problem: string): LauncherError {
  return new LauncherError(`The backup ${folder} is damaged: ${problem}.`, 'Use another backup.');
}
