import { residentBytes } from '@gantry/core-common';
import type { Child } from '@gantry/core-supervisor/child';

/** The memory limit of a check; a platform with all shipped plugins takes a fifth of it. */
const maxResidentBytes = 2 ** 30;
/** Of it for JavaScript alone, so that a heap that grows without end is reported as such. */
export const maxHeapBytes = 768 * 2 ** 20;

const intervalMs = 100;

export interface MemoryWatch {
  /** Whether the process was ended because it occupied more. */
  isExceeded(): boolean;
  stop(): void;
}

/** Ends a process that occupies more than {@link maxResidentBytes}. */
export function watchMemory(child: Child): MemoryWatch {
  let isExceeded = false;
  const timer = setInterval(() => {
    const pid = child.reference?.pid;
    if (pid === undefined || (residentBytes(pid) ?? 0) < maxResidentBytes) return;
    isExceeded = true;
    child.kill('SIGKILL');
  }, intervalMs);
  return { isExceeded: () => isExceeded, stop: () => clearInterval(timer) };
}
