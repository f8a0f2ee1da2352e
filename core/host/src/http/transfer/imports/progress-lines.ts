import type { ServerResponse } from 'node:http';
import type { Failure, ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { progressType } from './import-request';

/**
 * Reports the progress to a client that requests it, a JSON object on each line: `progress` now and then, `problem` for a
 * line that is wrong, and at last the envelope that would have been the answer. Nothing waits for a client that does not read:
 * it misses progress.
 */
export class ProgressLines {
  private lastAt = 0;

  constructor(private readonly response: ServerResponse) {}

  progress(progress: ImportProgress): void {
    const now = performance.now();
    const isDue = progress.keeping || now - this.lastAt >= leastPauseMs;
    if (!isDue || this.response.writableNeedDrain) return;
    this.lastAt = now;
    this.write({ progress });
  }

  problem(problem: ImportProblem): void {
    this.write({ problem });
  }

  end(envelope: { readonly data: ImportReport } | Failure): void {
    this.begin();
    this.response.end(`${JSON.stringify(envelope)}\n`);
  }

  private write(line: object): void {
    this.begin();
    this.response.write(`${JSON.stringify(line)}\n`);
  }

  private begin(): void {
    if (this.response.headersSent) return;
    this.response.statusCode = 200;
    this.response.setHeader('Content-Type', `${progressType}; charset=utf-8`);
  }
}

/** Between two lines about the progress. */
const leastPauseMs = 100;
