import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TimeSlice } from '../time-slice';
import { parseRecord, toRecord, type ReadRecord, type RecordText } from './parse-record';
import { isReadable, type SourceRecord } from './source-record';

/** Characters of an item that this thread parses within a millisecond or two; longer ones would keep all requests waiting. */
const maxInlineLength = 64 * 1024;

/** Parses the items of a file. Long ones are parsed in a worker thread, which starts with the first of them. */
export async function* parseRecords(
  groups: AsyncIterable<readonly (RecordText | SourceRecord)[]>,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  const thread = new ParseThread();
  try {
    for await (const group of groups) yield* parseGroup(group, thread);
  } finally {
    await thread.stop();
  }
}

async function* parseGroup(
  group: readonly (RecordText | SourceRecord)[],
  thread: ParseThread,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  const slice = new TimeSlice();
  let records: SourceRecord[] = [];
  for (const source of group) {
    if (isReadable(source)) records.push(source);
    else if (source.text.length <= maxInlineLength) records.push(parseRecord(source));
    else {
      // To hand it over takes as long as it took to read it.
      await slice.next();
      records.push(await thread.parse(source));
    }
    if (!slice.isOver()) continue;
    yield records;
    records = [];
    await slice.next();
  }
  yield records;
}

class ParseThread {
  private worker: Worker | undefined;

  async parse(source: RecordText): Promise<SourceRecord> {
    this.worker ??= startWorker();
    const answer = once(this.worker, 'message') as Promise<[ReadRecord]>;
    this.worker.postMessage(source.text, []);
    const [read] = await answer;
    return toRecord(read, source);
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
  }
}

/** Seen from the sources as well as from the build. */
const threadFile = join(__dirname, '..', '..', 'dist', 'source', 'parse-thread.js');

function startWorker(): Worker {
  const worker = new Worker(threadFile);
  // The process does not wait for it to end.
  worker.unref();
  return worker;
}
