import { basename } from 'node:path';
import { uiApiVersion, type PluginUi } from '@gantry/contracts';
import { isActive, type PluginRecord } from './plugin-record';
import { uiProblem } from './ui-problems';
import { readUiFolder, type UiFile } from './ui-folder';

/** A file of a plugin's pages, and whether its address changes with its content. */
export interface ServedUiFile extends UiFile {
  readonly immutable: boolean;
}

/**
 * Reads the pages of all plugins that are starting or serving. Those that somebody enabled by command are read once,
 * as they were then; the others again when a file has changed, so that an author needs no new start.
 */
export async function readUis(records: readonly PluginRecord[]): Promise<void> {
  await Promise.all(
    records.map(async (record) => {
      const ui = record.manifest?.ui;
      if (ui === undefined || ui.apiVersion !== uiApiVersion || !isActive(record)) return;
      if (record.ui !== undefined && record.pinned) return;
      record.ui = await readUiFolder(record.found.folder, ui.entry, record.ui);
    }),
  );
}

/** The pages in the report of a plugin. */
export function uiOf(record: PluginRecord): PluginUi | undefined {
  const ui = record.manifest?.ui;
  if (ui === undefined) return undefined;
  const { apiVersion, pages, fields, cells, filters, itemActions, entry } = ui;
  const declared = { apiVersion, pages, fields, cells, ...(filters === undefined ? {} : { filters }), itemActions };
  if (apiVersion !== uiApiVersion) return { ...declared, problem: uiProblem.otherVersion(apiVersion) };
  if (record.ui?.state === 'unreadable') return { ...declared, problem: uiProblem.unreadable(record.ui.reason) };
  if (record.ui === undefined || !isActive(record)) return declared;
  return {
    ...declared,
    address: `/plugins/${record.id}/${encodeURIComponent(versionOf(record))}/ui/${basename(entry)}`,
  };
}

/**
 * The file at `/plugins/<id>/<version>/ui/<path>`; undefined when there is none. The version is the package's own, or the
 * one of the report, which also carries a hash of all files.
 */
export function findUiFile(record: PluginRecord, version: string, path: string): ServedUiFile | undefined {
  const file = record.ui?.state === 'read' ? record.ui.files.get(path) : undefined;
  if (file === undefined) return undefined;
  if (version === versionOf(record)) return { ...file, immutable: true };
  return version === record.manifest?.version ? { ...file, immutable: false } : undefined;
}

function versionOf({ manifest, ui }: PluginRecord): string {
  return `${manifest?.version ?? ''}-${ui?.state === 'read' ? ui.hash : ''}`;
}
