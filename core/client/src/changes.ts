import { readAnswer } from './items';

/** A change of an item. @public */
export interface Change {
  /** Where it is in the feed: `after` of what follows. */
  readonly position: string;
  /** ISO 8601. */
  readonly at: string;
  /** Code of the item type. */
  readonly type: string;
  readonly id: number;
  readonly version: number;
  /** `left`: the caller can no longer see the item. */
  readonly action: 'created' | 'updated' | 'deleted' | 'restored' | 'left';
  /** Names of the fields that changed. */
  readonly changed: readonly string[];
  readonly actor?: string;
  /** After the change; before it, for a deletion. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** @public */
export interface ChangesOptions<Type extends string = string> {
  /** A position, or `latest` for changes from now on, which is the default. */
  readonly after?: string;
  /** Codes of item types; all unless given. */
  readonly types?: readonly Type[];
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** Opens a stream of events. */
export type OpenStream = (query: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>;

const firstPauseMs = 200;
const lastPauseMs = 10_000;

/**
 * Follows the change feed without an end. A connection that breaks is opened again where it ended, so that no change is lost.
 * @throws RequestError when the platform refuses the stream
 */
export async function* followChanges(open: OpenStream, options: ChangesOptions): AsyncGenerator<Change, void> {
  const { types, signal = new AbortController().signal } = options;
  let after = options.after ?? 'latest';
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const stream = await open({ after, ...(types === undefined ? {} : { types: types.join(',') }) }, signal).catch(
      () => undefined,
    );
    if (stream !== undefined && !stream.ok && stream.status < 500) await readAnswer(stream);
    if (stream?.ok && stream.body !== null) {
      pauseMs = firstPauseMs;
      after = yield* changesOf(stream.body, after);
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, lastPauseMs);
  }
}

/** @returns the position after the last event */
async function* changesOf(body: ReadableStream<Uint8Array>, begin: string): AsyncGenerator<Change, string> {
  let after = begin;
  for await (const { event, id, data } of readEvents(body)) {
    after = id ?? after;
    if (event === 'change') yield JSON.parse(data) as Change;
  }
  return after;
}

interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a stream; ends with it, also when it breaks. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }) as const);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      yield* blocks.map(parseEvent);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]*):? ?(.*)$/.exec(line) ?? ['', '', '']);
  const valueOf = (name: string): string | undefined => fields.findLast(([, field]) => field === name)?.[2];
  const data = fields.filter(([, field]) => field === 'data').map(([, , value]) => value);
  return { event: valueOf('event') ?? 'message', id: valueOf('id'), data: data.join('\n') };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, milliseconds);
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
    signal.addEventListener('abort', finish);
  });
}
