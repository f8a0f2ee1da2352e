import type { GenerationsReport } from '@gantry/contracts';

/** Until an earlier change has ended, it is not known what the next one meets. */
export function isSettled({ changes }: GenerationsReport): boolean {
  return changes.every(({ phase }) => phase === 'done' || phase === 'failed');
}
