import { ApiError, isUnavailable } from '../../../api/api-error';
import type { Item } from '../../../api/items';
import type { ItemSource } from './item-source';

/** One item that an action could not be applied to. */
export interface BulkFailure {
  readonly item: Item;
  readonly error: unknown;
}

/** Why a run has ended before its last item. */
export type BulkStop =
  | { readonly kind: 'cancelled' }
  /** The platform is unavailable, or the items could not be read. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The very first item says that the request itself is wrong: the others would say the same. */
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'too-many-failures' };

export interface BulkState {
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  readonly running: boolean;
  /** Undefined while it runs, and when every item was processed. */
  readonly stop: BulkStop | undefined;
}

export interface BulkWork {
  readonly source: ItemSource;
  /** Applies the action to one item if it still has the version that is given; `again` after a failure, when it has to be read again. */
  act(item: Item, again: boolean): Promise<void>;
  onState(state: BulkState): void;
}

export interface BulkRun {
  /** Begins, or goes on where the run stopped, with the failed items first. */
  resume(): Promise<void>;
  /** Items that are under way are finished, so that the result of each is known. */
  cancel(): void;
}

const concurrency = 4;
/** A mistake should not be made a million times: so many failures are looked at first. */
const maxFailures = 100;

/** Prepares an action on many items, four at a time. */
export function createBulkRun({ source, act, onState }: BulkWork): BulkRun {
  const queue: Item[] = [];
  let state: BulkState = { done: 0, failures: [], running: false, stop: undefined };
  const update = (part: Partial<BulkState>): void => {
    state = { ...state, ...part };
    onState(state);
  };
  const halt = (stop: BulkStop): void => update({ stop: state.stop ?? stop });

  const attempt = async (item: Item, again: boolean): Promise<void> => {
    try {
      await act(item, again);
      update({ done: state.done + 1 });
    } catch (error) {
      const stop = stopAfter(error, state, again);
      update({ failures: [...state.failures, { item, error }] });
      if (stop !== undefined) halt(stop);
    }
  };

  const work = async (): Promise<void> => {
    while (state.stop === undefined) {
      const failed = queue.shift();
      const item = failed ?? (await source.next());
      if (item === undefined) return;
      await attempt(item, failed !== undefined);
    }
  };

  return {
    async resume() {
      queue.push(...state.failures.map(({ item }) => item));
      update({ failures: [], stop: undefined, running: true });
      const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
      const broken = results.find((result) => result.status === 'rejected');
      if (broken !== undefined) halt({ kind: 'failed', error: broken.reason });
      update({ running: false });
    },
    cancel: () => halt({ kind: 'cancelled' }),
  };
}

function stopAfter(error: unknown, { done, failures }: BulkState, again: boolean): BulkStop | undefined {
  if (isUnavailable(error)) return { kind: 'failed', error };
  const isFirst = done === 0 && failures.length === 0 && !again;
  if (isFirst && error instanceof ApiError && error.status === 400) return { kind: 'refused', error };
  return failures.length + 1 >= maxFailures ? { kind: 'too-many-failures' } : undefined;
}
