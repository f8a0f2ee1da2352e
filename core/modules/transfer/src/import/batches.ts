import { unlessAborted } from '@gantry/core-common';
import type { SourceRecord } from '../source/source-record';

const maxRecords = 500;
const maxCharacters = 1024 * 1024;

/**
 * Groups records into batches that are worth a statement and yet small. The next batch is read while one is worked on.
 * @throws the signal's reason when it aborts, also while a read waits that may never come to an end
 */
export async function* inBatches(
  records: AsyncIterable<readonly SourceRecord[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  const batches = grouped(records);
  let next = readNext(batches);
  try {
    for (;;) {
      const current = await unlessAborted(next, signal);
      if (current.done === true) return;
      next = readNext(batches);
      yield current.value;
    }
  } finally {
    // Not awaited: a read may wait forever, as from a terminal.
    batches.return().catch(() => undefined);
  }
}

function readNext<T>(source: AsyncIterator<T, void, undefined>): Promise<IteratorResult<T, void>> {
  const next = source.next();
  // A caller that stops never awaits it.
  next.catch(() => undefined);
  return next;
}

async function* grouped(
  records: AsyncIterable<readonly SourceRecord[]>,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  let batch: SourceRecord[] = [];
  let characters = 0;
  for await (const group of records) {
    for (const record of group) {
      batch.push(record);
      characters += 'values' in record ? record.size : 0;
      if (batch.length < maxRecords && characters < maxCharacters) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
