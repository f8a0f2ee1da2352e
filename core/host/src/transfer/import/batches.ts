import type { SourceRecord } from '../source/source-record';

const mostRecords = 500;
const mostCharacters = 1024 * 1024;

/** Groups records into batches that are worth a statement and yet small. The next batch is read while one is worked on. */
export function inBatches(
  records: AsyncIterable<readonly SourceRecord[]>,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  return oneAhead(grouped(records));
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
      if (batch.length < mostRecords && characters < mostCharacters) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

async function* oneAhead<T>(source: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let next = source.next();
  try {
    for (;;) {
      const current = await next;
      if (current.done === true) return;
      next = source.next();
      // Whoever breaks off now never looks at it.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    // Not awaited: a read that never comes to an end, as from a terminal, must not hold anyone up.
    void source.return().catch(() => undefined);
  }
}
