import { basename } from 'node:path';
import { uiApiVersion, type PluginUi, type PluginUiProblem } from '@gantry/contracts';
import { isActive, type PluginRecord } from './plugin-record';
import { readUiFolder, type UiFile } from './ui-folder';

/** Problems of the pages of a plugin that runs otherwise; the documentation of the codes is made from them. */
const uiProblemKinds = {
  UI_API_INCOMPATIBLE: 'The pages are written for another version of the UI API',
  UI_FILES_UNREADABLE: 'The built pages are missing or cannot be served',
} as const satisfies Record<string, string>;

/** The problems with their sentences. */
const uiProblem = {
  otherVersion: (version: number): PluginUiProblem => ({
    code: 'UI_API_INCOMPATIBLE' satisfies keyof typeof uiProblemKinds,
    reason: `Its pages are written for version ${version} of the UI API; this host has version ${uiApiVersion}`,
    remedy: `Use a version of the package whose pages are built for version ${uiApiVersion}, or update Gantry`,
  }),
  unreadable: (reason: string): PluginUiProblem => ({
    code: 'UI_FILES_UNREADABLE' satisfies keyof typeof uiProblemKinds,
    reason: `Its pages cannot be served: ${reason}`,
    remedy: 'Build the pages of the package, or correct gantry.ui.entry in its package.json',
  }),
};

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
