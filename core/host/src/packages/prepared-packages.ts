import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { installedSchema } from '@gantry/core-supervisor/child';
import { readIfThere, writeAtomically } from '@gantry/core-common';
import { z } from 'zod';
import { openStored, PluginError } from '../plugins';

const preparedSchema = z.object({
  formatVersion: z.literal(1),
  plugin: z.string(),
  displayName: z.string(),
  installed: installedSchema,
});

/** A package that was fetched, verified and stored, and that nothing uses yet. */
export interface PreparedPackage extends Readonly<Omit<z.output<typeof preparedSchema>, 'formatVersion'>> {
  /** Names it for the requests that install it. */
  readonly id: string;
}

/** The store keeps a package that nothing names for a day after it was stored. */
const keptForMs = 12 * 60 * 60 * 1000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Notes a package of the store in the home. Who can write to the home may choose which code runs, so that such a note is the
 * permission to install it.
 */
export function notePrepared(home: string, prepared: Omit<PreparedPackage, 'id'>): PreparedPackage {
  const id = randomUUID();
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  writeAtomically(fileOf(home, id), textOf(prepared));
  return { id, ...prepared };
}

/** What is noted of a package. */
export function textOf({ plugin, displayName, installed }: Omit<PreparedPackage, 'id'>): string {
  return `${JSON.stringify({ formatVersion: 1, plugin, displayName, installed }, null, 2)}\n`;
}

/** With its folder in the store. */
export type OpenedPackage = PreparedPackage & { readonly folder: string };

/**
 * @param findElsewhere the text of the note of another host, whose package it puts into the store
 * @throws PluginError PACKAGE_NOT_PREPARED where there is none
 */
export async function openPrepared(
  home: string,
  id: string,
  findElsewhere: (id: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Promise<OpenedPackage> {
  const text = uuid.test(id) ? (readIfThere(fileOf(home, id)) ?? (await findElsewhere(id))) : undefined;
  if (text === undefined) throw notPrepared();
  const { formatVersion: _version, ...prepared } = preparedSchema.parse(JSON.parse(text));
  const stored = await openStored(home, prepared.installed.contentHash);
  if (stored === undefined) throw notPrepared();
  return { id, folder: stored.folder, ...prepared };
}

export async function forgetPrepared(home: string, id: string): Promise<void> {
  await rm(fileOf(home, id), { force: true });
}

/** Removes the notes of packages that were not installed in time. Never fails. */
export async function removeOldPrepared(home: string): Promise<void> {
  const names = await readdir(folderOf(home)).catch(() => []);
  for (const name of names) {
    const file = join(folderOf(home), name);
    const notedAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
    if (Date.now() - notedAt > keptForMs) await rm(file, { force: true }).catch(() => undefined);
  }
}

function folderOf(home: string): string {
  return join(home, 'prepared');
}

function fileOf(home: string, id: string): string {
  return join(folderOf(home), `${id}.json`);
}

function notPrepared(): PluginError {
  return new PluginError(
    'PACKAGE_NOT_PREPARED',
    'There is no such package: it was fetched more than 12 hours ago, or by a command on another host',
    'Fetch it again',
  );
}
