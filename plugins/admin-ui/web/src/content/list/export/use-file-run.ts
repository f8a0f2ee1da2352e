import { useRef, useState } from 'react';
import type { FileFormat } from './export-file';
import { openFile, type FileSink } from './file-sink';

/** Where a file is written to. */
export interface FileWork {
  readonly sink: FileSink;
  readonly signal: AbortSignal;
  /** How many entries are written so far. */
  onProgress(count: number): void;
}

export interface FileRun {
  /** Of the entries so far; undefined while none runs or has failed. */
  readonly count: number | undefined;
  readonly failure: unknown;
  begin(name: string, format: FileFormat, write: (work: FileWork) => Promise<void>): void;
  close(): void;
}

/** Writes a file of the reader's choice, which can be cancelled. */
export function useFileRun(): FileRun {
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const begin = async (...[name, format, write]: Parameters<FileRun['begin']>): Promise<void> => {
    const sink = await openFile(name, mediaTypes[format]);
    if (sink === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setFailure(undefined);
    setCount(0);
    // Pieces come faster than anybody reads.
    const onProgress = atMostEvery(progressPauseMs, (entries) => {
      if (!signal.aborted) setCount(entries);
    });
    try {
      await write({ sink, signal, onProgress });
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
  return { count, failure, begin: (...work) => void begin(...work), close };
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
