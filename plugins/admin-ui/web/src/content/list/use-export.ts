import type { ItemMetadata } from '@gantry/contracts';
import { useRef, useState } from 'react';
import { loadScript } from '../../api/load-page';
import type { FileFormat } from './export-file';
import type { ExportPages } from './export-pages';
import { openFile, type FileSink } from './file-sink';

/** What the file is: made by the platform for an import, or made here for a person. */
export type ExportKind =
  | { readonly kind: 'file'; readonly format: FileFormat }
  | { readonly kind: 'table'; readonly columns: readonly string[] | undefined };

export interface ExportSource {
  readonly metadata: ItemMetadata;
  /** The items, not only those of the page in sight. */
  readonly pages: ExportPages;
}

export interface ExportRun {
  /** Of the items so far; undefined while none runs or has failed. */
  readonly count: number | undefined;
  readonly failure: unknown;
  begin(what: ExportKind): void;
  close(): void;
}

/** Writes items into a file of the reader's choice. */
export function useExport({ metadata, pages }: ExportSource): ExportRun {
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const write = async (what: ExportKind, sink: FileSink, signal: AbortSignal): Promise<void> => {
    // Pieces come faster than anybody reads.
    const onProgress = atMostEvery(progressPauseMs, (items) => {
      if (!signal.aborted) setCount(items);
    });
    if (what.kind === 'file') {
      const { exportFile } = await loadScript(() => import('./export-file'));
      return exportFile({ type: metadata.code, format: what.format, ...pages, sink, signal, onProgress });
    }
    const { exportTable } = await loadScript(() => import('./export-table'));
    return exportTable({ metadata, pages: pages.read(signal), columns: what.columns, sink, onProgress });
  };
  const begin = async (what: ExportKind): Promise<void> => {
    const format = what.kind === 'file' ? what.format : 'csv';
    const sink = await openFile(`${metadata.code}.${format}`, mediaTypes[format]);
    if (sink === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setFailure(undefined);
    setCount(0);
    try {
      await write(what, sink, signal);
      signal.throwIfAborted();
      await sink.close();
      setCount(undefined);
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (signal.aborted) setCount(undefined);
      else setFailure(error);
    }
  };
  const close = (): void => {
    running.current?.abort();
    setCount(undefined);
    setFailure(undefined);
  };
  return { count, failure, begin: (what: ExportKind) => void begin(what), close };
}

const mediaTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  jsonl: 'application/x-ndjson',
};

const progressPauseMs = 100;

function atMostEvery(pauseMs: number, announce: (items: number) => void): (items: number) => void {
  let lastAt = -Infinity;
  return (items) => {
    const now = performance.now();
    if (now - lastAt < pauseMs) return;
    lastAt = now;
    announce(items);
  };
}
