import type { ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { platformAddress } from '@gantry/client/platform';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryOf, type ImportOrder } from './import-order';
import { canBeRead, mediaTypes, unreadable } from './preview';
import { sendImport } from './send-import';

/** The state of an import. */
export type ImportState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending'; readonly dryRun: boolean; readonly sent: number }
  | { readonly phase: 'reading'; readonly dryRun: boolean; readonly progress: ImportProgress }
  | { readonly phase: 'done'; readonly report: ImportReport }
  | { readonly phase: 'failed'; readonly dryRun: boolean; readonly error: unknown }
  | { readonly phase: 'cancelled' };

export interface ImportRun {
  readonly state: ImportState;
  /** In the order of the file; the first thousand. */
  readonly problems: readonly ImportProblem[];
  begin(order: ImportOrder, dryRun: boolean): Promise<void>;
  cancel(): void;
  /** Forgets what the last run said. */
  clear(): void;
}

/** Runs an import of items of one type; leaving the page cancels it. */
export function useImport(type: string): ImportRun {
  const client = useQueryClient();
  const [state, setState] = useState<ImportState>({ phase: 'idle' });
  const [problems, setProblems] = useState<readonly ImportProblem[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const begin = async (order: ImportOrder, dryRun: boolean): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const found: ImportProblem[] = [];
    setProblems([]);
    setState({ phase: 'sending', dryRun, sent: 0 });
    try {
      const report = await sendImport({
        path: platformAddress('POST', '/api/cms/imports/{type}', { path: { type }, query: queryOf(order, dryRun) }),
        mediaType: mediaTypes[order.format],
        file: order.file,
        signal: controller.signal,
        onSent: (sent) => setState({ phase: 'sending', dryRun, sent }),
        onProgress: (progress) => setState({ phase: 'reading', dryRun, progress }),
        onProblem: (problem) => found.push(problem),
      });
      setState({ phase: 'done', report });
      if (report.kept) void client.invalidateQueries({ queryKey: ['items', type] });
    } catch (error) {
      const failure = (await canBeRead(order.file)) ? error : new Error(unreadable);
      setState(controller.signal.aborted ? { phase: 'cancelled' } : { phase: 'failed', dryRun, error: failure });
    } finally {
      setProblems(found);
    }
  };
  return {
    state,
    problems,
    begin,
    cancel: () => running.current?.abort(),
    clear: () => {
      setState({ phase: 'idle' });
      setProblems([]);
    },
  };
}
