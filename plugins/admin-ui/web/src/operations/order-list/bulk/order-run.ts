import { isUnavailable } from '../../../api/api-error';

/** Result for one order of a run. `waiting` after the end of a run means that it was not begun. */
export interface OrderResult {
  readonly orderId: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
}

export interface OrderRunOptions {
  readonly orderIds: readonly string[];
  act(orderId: string): Promise<void>;
  onResults(results: readonly OrderResult[]): void;
}

export interface OrderRun {
  /** Acts on every order that is not done yet, those that failed included. Resolves when none is under way any more. */
  start(): Promise<void>;
  /** Begins no further order; those under way are finished, so that the result of each is known. */
  stop(): void;
}

const concurrency = 4;

/** Prepares an action on several orders, four at a time. It ends early when the platform is unavailable. */
export function createOrderRun({ orderIds, act, onResults }: OrderRunOptions): OrderRun {
  let results: readonly OrderResult[] = orderIds.map((orderId) => ({ orderId, state: 'waiting' }));
  let isStopped = false;
  const set = (result: OrderResult): void => {
    results = results.map((known) => (known.orderId === result.orderId ? result : known));
    onResults(results);
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const next = isStopped ? undefined : results.find(({ state }) => state === 'waiting');
      if (next === undefined) return;
      const { orderId } = next;
      set({ orderId, state: 'running' });
      try {
        await act(orderId);
        set({ orderId, state: 'done' });
      } catch (error) {
        set({ orderId, state: 'failed', error });
        if (isUnavailable(error)) isStopped = true;
      }
    }
  };
  return {
    async start() {
      isStopped = false;
      results = results.map((result) => (result.state === 'failed' ? { ...result, state: 'waiting' } : result));
      onResults(results);
      await Promise.all(Array.from({ length: concurrency }, work));
    },
    stop() {
      isStopped = true;
    },
  };
}
