import { endsWithin, unlessAborted } from '@gantry/core-common';
import { GantryError } from '@gantry/plugin-api/errors';
import type { PoolClient } from 'pg';
import type Cursor from 'pg-cursor';

export type Row = readonly unknown[];

export interface LeaseOptions {
  readonly client: PoolClient;
  readonly cursor: Cursor<Row>;
  /** Cancels the statement that a backend is at work on. */
  readonly cancelBackend: (pid: number) => Promise<void>;
  /** Each of them takes the lease away when it aborts. */
  readonly signals: readonly AbortSignal[];
  readonly stallTimeoutMs: number;
  /** Called when the reader has stalled for too long. */
  readonly onStalled: () => void;
}

/** A cursor and its connection, until read to the end, closed, or taken from a reader that stalls. */
export class CursorLease {
  private state: 'idle' | 'reading' | 'done' | 'closed' = 'idle';
  private pendingRead: Promise<unknown> = Promise.resolve();
  private stallTimer: NodeJS.Timeout | undefined;
  private watchedSince: number | undefined;
  private readonly revoked = new AbortController();
  private readonly onAbort = (event: Event): void => this.revoke((event.target as AbortSignal).reason);
  /** The cursor does not always report the end of its connection: between its last row and ReadyForQuery it does not listen. */
  private readonly onLost = (): void => {
    this.isLost = true;
    this.revoke(new Error('Connection terminated unexpectedly'));
  };
  private isLost = false;

  constructor(private readonly options: LeaseOptions) {
    for (const signal of options.signals) signal.addEventListener('abort', this.onAbort, { once: true });
    options.client.once('end', this.onLost);
    const aborted = options.signals.find((signal) => signal.aborted);
    if (aborted !== undefined) this.revoke(aborted.reason);
  }

  /** The next rows; fewer than asked for at the end. Rejects at once when the lease is taken away. */
  async read(rows: number): Promise<readonly Row[]> {
    this.revoked.signal.throwIfAborted();
    this.state = 'reading';
    let batch: readonly Row[] | undefined;
    try {
      const reading = this.options.cursor.read(rows);
      this.pendingRead = reading;
      batch = await unlessAborted(reading, this.revoked.signal);
      return batch;
    } finally {
      if (this.isReading()) this.state = batch !== undefined && batch.length < rows ? 'done' : 'idle';
    }
  }

  /** Starts the clock of a reader that has been given a batch. */
  watchReader(): void {
    const limit = this.options.stallTimeoutMs;
    this.watchedSince = performance.now();
    this.stallTimer = setTimeout(() => this.letGo(), limit);
  }

  /** Milliseconds since the reader was given the batch that it has; undefined while it waits for one. */
  heldMs(): number | undefined {
    return this.watchedSince === undefined ? undefined : performance.now() - this.watchedSince;
  }

  /** Takes the lease away from a reader that stalls. */
  letGo(): void {
    const seconds = ((this.heldMs() ?? 0) / 1000).toFixed(1);
    this.revoke(new GantryError('REQUEST_TIMEOUT', `The client read no rows for ${seconds} seconds.`));
    this.options.onStalled();
  }

  /** Stops it. @throws the reason when the lease has been revoked in the meantime. */
  unwatchReader(): void {
    clearTimeout(this.stallTimer);
    this.watchedSince = undefined;
    this.revoked.signal.throwIfAborted();
  }

  async close(): Promise<void> {
    const { client, signals } = this.options;
    const before = this.state;
    if (before === 'closed') return;
    this.state = 'closed';
    clearTimeout(this.stallTimer);
    this.watchedSince = undefined;
    for (const signal of signals) signal.removeEventListener('abort', this.onAbort);
    client.off('end', this.onLost);
    // A statement at work does not notice that its connection closes, so it is cancelled first. The connection is not
    // used again: a late cancellation would hit the next statement on it.
    if (before === 'reading' && !this.isLost) await this.cancelRead();
    client.release(before !== 'done');
  }

  /** A cancellation that arrives before the server has begun with the read is lost, so it is repeated. */
  private async cancelRead(): Promise<void> {
    const settled = this.pendingRead.catch(() => undefined);
    for (const waitMs of [20, 50, 100, 500, 1_000]) {
      await this.options.cancelBackend(backendPid(this.options.client)).catch(() => undefined);
      if (await endsWithin(settled, waitMs)) return;
    }
  }

  private revoke(reason: unknown): void {
    this.revoked.abort(reason);
    void this.close();
  }

  /** A method, because the state may have changed while a read was waited for. */
  private isReading(): boolean {
    return this.state === 'reading';
  }
}

/** pg sets it on every connection, but its types do not declare it. */
function backendPid(client: PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}
