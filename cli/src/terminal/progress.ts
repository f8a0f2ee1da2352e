import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal';

/** Shows the progress of a long command, on a terminal only. */
export interface Progress {
  update(done: number, items: number): void;
  stop(): void;
}

/** @param total What `done` counts up to; undefined when it is not known, as for standard input */
export function startProgress(terminal: Terminal, title: string, total: number | undefined): Progress {
  if (!terminal.isWatched) return { update: () => undefined, stop: () => undefined };
  const format =
    total === undefined
      ? `${title} {items} items, {duration_formatted}`
      : `${title} {bar} {percentage} %, {items} items, {eta_formatted} left`;
  const bar = new SingleBar(
    { format, stream: terminal.stderr, hideCursor: true, clearOnComplete: true, etaBuffer: 100 },
    Presets.shades_grey,
  );
  bar.start(total ?? 1, 0, { items: '0' });
  return {
    update: (done, items) => bar.update(total === undefined ? 0 : done, { items: items.toLocaleString('en') }),
    stop: () => bar.stop(),
  };
}
