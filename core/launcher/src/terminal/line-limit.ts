export interface LineLimitOptions {
  readonly maxLines: number;
  readonly maxCharacters: number;
  readonly intervalMs: number;
}

/** Far more than a sound host writes, and little enough that a log of some days survives a flood of some minutes. */
export const defaultLineLimit: LineLimitOptions = { maxLines: 2_000, maxCharacters: 1024 * 1024, intervalMs: 5_000 };

/** Bounds how much of what a host prints is passed on. Warnings and errors have a share that other lines do not use up. */
export interface LineLimit {
  /** @returns whether the line is within the limits. */
  admits(line: string): boolean;
  close(): void;
}

/** @param onDropped called at the end of an interval in which lines were dropped, with their number */
export function createLineLimit(
  { maxLines, maxCharacters, intervalMs }: LineLimitOptions,
  onDropped: (count: number) => void,
): LineLimit {
  let used: Readonly<Record<Share, Usage>> = { common: unused(), severe: unused() };
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const finishInterval = (): void => {
    timer = undefined;
    used = { common: unused(), severe: unused() };
    const count = dropped;
    dropped = 0;
    if (count > 0) onDropped(count);
  };
  return {
    admits: (line) => {
      timer ??= setTimeout(finishInterval, intervalMs).unref();
      const usage = used[isSevere(line) ? 'severe' : 'common'];
      const isWithin = usage.lines < maxLines && usage.characters + line.length <= maxCharacters;
      usage.lines += 1;
      if (isWithin) usage.characters += line.length;
      else dropped += 1;
      return isWithin;
    },
    close: () => {
      clearTimeout(timer);
      finishInterval();
    },
  };
}

type Share = 'common' | 'severe';

interface Usage {
  lines: number;
  characters: number;
}

function unused(): Usage {
  return { lines: 0, characters: 0 };
}

/** Structured lines begin with their level; to read each whole line would cost more than to write it. */
function isSevere(line: string): boolean {
  return /^\{"level":[456]\d,/.test(line);
}
