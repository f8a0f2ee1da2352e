import type { ItemMetadata } from '@gantry/contracts';
import { loadScript } from '../../../api/load-page';
import type { FileFormat } from './export-file';
import type { ExportPages } from './export-pages';
import { useFileRun, type FileRun } from './use-file-run';

/** Kind of file: made by the platform for an import, or made here for a person. */
export type ExportKind =
  | { readonly kind: 'file'; readonly format: FileFormat }
  | { readonly kind: 'table'; readonly columns: readonly string[] | undefined };

export interface ExportSource {
  readonly metadata: ItemMetadata;
  /** The items, not only those of the page in sight. */
  readonly pages: ExportPages;
}

export interface ExportRun extends Omit<FileRun, 'begin'> {
  begin(what: ExportKind): void;
}

/** Writes items into a file of the reader's choice. */
export function useExport({ metadata, pages }: ExportSource): ExportRun {
  const { begin, ...run } = useFileRun();
  return {
    ...run,
    begin(what: ExportKind) {
      const format = what.kind === 'file' ? what.format : 'csv';
      begin(`${metadata.code}.${format}`, format, async ({ sink, signal, onProgress }) => {
        if (what.kind === 'file') {
          const { exportFile } = await loadScript(() => import('./export-file'));
          return exportFile({ type: metadata.code, format: what.format, ...pages, sink, signal, onProgress });
        }
        const { exportTable } = await loadScript(() => import('./export-table'));
        return exportTable({ metadata, pages: pages.read(signal), columns: what.columns, sink, onProgress });
      });
    },
  };
}
