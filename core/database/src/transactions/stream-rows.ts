import { unlessAborted } from '@gantry/core-common';
import type { Pool, PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { CursorLease, type Row } from './cursor-lease';
import { translateOutdated, translateUnavailable } from '../database-errors';
import type { OpenStreams } from './open-streams';

export interface StreamOptions {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** Rows of a batch at most; 1,000 unless given. Batches of long rows are shorter. */
  readonly batchSize?: number;
  /** Cancels the query, on the server too, and frees the connection; also while no batch is being asked for. */
  readonly signal?: AbortSignal;
  /** Milliseconds the reader may take between two batches; 60 s unless given. */
  readonly stallTimeoutMs?: number;
  /** The same while another reader waits for a connection; 3 s unless given. */
  readonly crowdedStallTimeoutMs?: number;
  /** Called when the reader has taken too long and lost its connection, as it may never request another batch. */
  readonly onStalled?: () => void;
}

/** Where streams run. */
export interface StreamSource {
  readonly pool: Pool;
  readonly open: OpenStreams;
  readonly cancelBackend: (pid: number) => Promise<void>;
  /** Aborts when the host stops. */
  readonly stopped: AbortSignal;
}

const defaults = { batchSize: 1_000, stallTimeoutMs: 60_000, crowdedStallTimeoutMs: 3_000 } as const;

/** The first batch is short, so that the first byte leaves early. */
const firstBatchSize = 50;

/** The characters of a batch, so that memory does not grow with the length of rows. */
const batchCharacters = 512 * 1024;

/**
 * Reads the rows of one statement in batches, with a cursor on a separate connection; the next batch is fetched while
 * the reader deals with the one before. The connection is free again as soon as the reader is done, breaks off, stalls
 * or aborts. While all connections are taken, those who wait get the places of the readers that have stalled longest.
 * @throws GantryError `UNAVAILABLE` when the database is unavailable or no connection becomes free in time, `REQUEST_TIMEOUT` when
 * the reader stalls; the signal's reason when it aborts.
 */
export async function* streamRows(
  source: StreamSource,
  options: StreamOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const largest = options.batchSize ?? defaults.batchSize;
  let size = Math.min(firstBatchSize, largest);
  const lease = await openLease(source, options);
  try {
    let batch = await lease.read(size);
    while (batch.length > 0) {
      const wasLast = batch.length < size;
      size = nextSize(batch, largest);
      const next = wasLast ? undefined : lease.read(size);
      // A caller that stops now never awaits it.
      next?.catch(() => undefined);
      lease.watchReader();
      yield batch;
      lease.unwatchReader();
      if (next === undefined) return;
      batch = await next;
    }
  } catch (error) {
    throw translateUnavailable(translateOutdated(error));
  } finally {
    await lease.close();
    source.open.delete(lease);
  }
}

async function openLease(source: StreamSource, options: StreamOptions): Promise<CursorLease> {
  const signals = options.signal === undefined ? [source.stopped] : [source.stopped, options.signal];
  const client = await connectUnlessAborted(source, signals);
  const cursor = client.query(new Cursor<Row>(options.sql, [...(options.values ?? [])], { rowMode: 'array' }));
  const lease = new CursorLease({
    client,
    cursor,
    cancelBackend: source.cancelBackend,
    signals,
    stallTimeoutMs: options.stallTimeoutMs ?? defaults.stallTimeoutMs,
    onStalled: () => options.onStalled?.(),
  });
  source.open.add(lease, options.crowdedStallTimeoutMs ?? defaults.crowdedStallTimeoutMs);
  return lease;
}

async function connectUnlessAborted(source: StreamSource, signals: readonly AbortSignal[]): Promise<PoolClient> {
  for (const signal of signals) signal.throwIfAborted();
  const connecting = source.pool.connect();
  const isCrowded = (): boolean => source.pool.waitingCount > 0;
  const makeRoom = isCrowded() ? source.open.makeRoom(isCrowded) : undefined;
  try {
    return await unlessAborted(connecting, ...signals);
  } catch (error) {
    // A request to the pool cannot be cancelled; a connection that comes too late is released at once.
    void connecting.then((client) => client.release()).catch(() => undefined);
    throw translateUnavailable(error);
  } finally {
    makeRoom?.stop();
  }
}

/** Rows of the next batch, judged by the length of those before. */
function nextSize(batch: readonly Row[], largest: number): number {
  let characters = 0;
  for (const row of batch) {
    for (const value of row) characters += typeof value === 'string' ? value.length : 8;
  }
  return Math.max(1, Math.min(largest, Math.floor((batchCharacters * batch.length) / (characters + 1))));
}
