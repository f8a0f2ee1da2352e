import { describeError } from '@gantry/core-common';
import type { DeliverOutcome } from '@gantry/contracts';
import { createDeliverySchedule, type Attempt, type DeliverySchedule } from './delivery-schedule';
import type { Feed, FeedChange } from './feed';
import type { Position } from '@gantry/core-database';
import type { Claim, LoggedAttempt, SubscriptionStore } from './subscription-store';

/** How an attempt ended, for all changes that were sent together. */
export interface SendResult {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  /** Unix time before which the receiver wants no other attempt. */
  readonly notBefore?: number;
  /** No change was sent. */
  readonly isUnsent?: true;
}

/** Who gets the changes of a subscription. */
export interface Receiver {
  /** Type codes; empty for all. */
  readonly types: readonly string[];
  /** Attempts at the same time. */
  readonly concurrency: number;
  /** Changes in one attempt. */
  readonly batchSize: number;
  /** Whether it wants the change at all. */
  wants(change: FeedChange): boolean;
  /** Has a time limit; what it throws counts as a failure. */
  send(changes: readonly FeedChange[], attempt: number, signal: AbortSignal): Promise<SendResult>;
}

export interface DeliveryOptions {
  readonly id: string;
  readonly receiver: Receiver;
  readonly claim: Claim;
  readonly feed: Feed;
  readonly store: SubscriptionStore;
  /** Aborts when the host stops, or the activity is cancelled. */
  readonly signal: AbortSignal;
  readonly giveUpAfterMs: number;
  /** Called about once a second. */
  readonly heartbeat: () => void;
}

/** A delivery that is under way. */
export interface Delivery {
  /** There may be something new in the feed. */
  wake(): void;
  /** Somebody else has taken it over, or it was changed: what it does counts no more. */
  giveWay(): void;
  /** Ends it when what is on its way has ended. */
  end(): void;
  /** Resolves when there is nothing to do for a while, somebody else has taken over, or the signal aborts. */
  readonly done: Promise<DeliverOutcome>;
}

const pageSize = 500;
/** Progress is stored at most so often. */
const storeIntervalMs = 100;
/** At least so often, so that others see that it runs, and it sees that it may. */
const touchIntervalMs = 5_000;
/** After so long without anything to do, it ends; the workflow waits then, which costs nothing. */
const idleMs = { first: 1_000, afterDelivery: 10_000 } as const;
/** After so long it ends in any case, and begins again. */
const maxRunMs = 60 * 60_000;
const tickMs = 1_000;
/** How long a host that stops waits for what it has sent. */
const drainMs = 4_000;
/** From so many failures in a row on, a subscription is shown as failing. */
const failingAfter = 3;
/** There is nothing to send. */
const unwanted: SendResult = { isDelivered: true, status: null, error: null, answer: null };
const gone: SendResult = {
  isDelivered: false,
  status: null,
  error: 'The change was removed from the feed, or the plugin of its type is not in use.',
  answer: null,
  isUnsent: true,
};

/** Delivers the changes of one subscription, as its activity. @throws GantryError UNAVAILABLE, errors of PostgreSQL */
export function startDelivery(options: DeliveryOptions): Delivery {
  const bell = createBell();
  const delivery = new RunningDelivery(options, bell);
  return {
    wake() {
      delivery.mayHaveMore = true;
      bell.ring();
    },
    giveWay() {
      delivery.isLost = true;
      bell.ring();
    },
    end() {
      delivery.isEnding = true;
      bell.ring();
    },
    done: delivery.run(),
  };
}

class RunningDelivery {
  mayHaveMore = true;
  isLost = false;
  isEnding = false;
  readonly #options: DeliveryOptions;
  readonly #bell: Bell;
  readonly #schedule: DeliverySchedule<FeedChange>;
  readonly #sends = new AbortController();
  #readTo: Position;
  #reading: Promise<void> | undefined;
  #storing: Promise<void> | undefined;
  #attempts: LoggedAttempt[] = [];
  #failure: Error | undefined;
  #inFlight = 0;
  #storedAt = performance.now();
  #busyAt = performance.now();
  #idleMs: number = idleMs.first;
  #hasDelivered = false;
  /** Whether an attempt of this run has succeeded. */
  #hasSucceeded = false;
  #lastError: string | null = null;

  constructor(options: DeliveryOptions, bell: Bell) {
    this.#options = options;
    this.#bell = bell;
    const { claim, giveUpAfterMs } = options;
    this.#schedule = createDeliverySchedule({ cursor: claim.cursor, waiting: claim.waiting, giveUpAfterMs });
    this.#readTo = claim.cursor;
  }

  async run(): Promise<DeliverOutcome> {
    const { signal, heartbeat } = this.#options;
    const startedAt = performance.now();
    const ring = (): void => this.#bell.ring();
    signal.addEventListener('abort', ring);
    const ticks = setInterval(() => {
      heartbeat();
      ring();
    }, tickMs);
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure;
        if (this.isLost) return { next: 'again' };
        if (signal.aborted || this.isEnding || performance.now() - startedAt > maxRunMs) return await this.#end();
        this.#read();
        this.#send();
        void this.#store();
        const outcome = this.#isIdle() ? await this.#rest() : undefined;
        if (outcome !== undefined) return outcome;
        await this.#bell.wait(this.#untilNext());
      }
    } finally {
      clearInterval(ticks);
      signal.removeEventListener('abort', ring);
      this.#sends.abort();
    }
  }

  #read(): void {
    const { feed, receiver } = this.#options;
    if (this.#reading !== undefined || !this.mayHaveMore || this.#schedule.capacity < pageSize) return;
    this.mayHaveMore = false;
    const read = async (): Promise<void> => {
      const page = await feed.read(this.#readTo, pageSize, receiver.types);
      if (page.hasMore) this.mayHaveMore = true;
      if (page.next.join() === this.#readTo.join()) return;
      this.#readTo = page.next;
      const wanted = page.changes.filter((change) => receiver.wants(change));
      this.#schedule.add(wanted, page.next, Date.now());
    };
    this.#reading = this.#track(read, () => {
      this.#reading = undefined;
    });
  }

  #send(): void {
    const { concurrency, batchSize } = this.#options.receiver;
    while (this.#inFlight < concurrency) {
      const attempts = this.#schedule.take(Date.now(), batchSize);
      if (attempts.length === 0) return;
      this.#inFlight += 1;
      void this.#track(
        () => this.#attempt(attempts),
        () => {
          this.#inFlight -= 1;
        },
      );
    }
  }

  async #attempt(attempts: readonly Attempt<FeedChange>[]): Promise<void> {
    const at = Date.now();
    const begin = performance.now();
    const result = await this.#sendAll(attempts);
    const { isDelivered, status, error, answer, notBefore, isUnsent } = result;
    const durationMs = performance.now() - begin;
    if (this.#sends.signal.aborted && !isDelivered) return;
    this.#busyAt = performance.now();
    this.#idleMs = idleMs.afterDelivery;
    for (const { position, item, number } of result === unwanted ? [] : attempts) {
      this.#attempts.push({ position, item, at, attempt: number, isDelivered, status, durationMs, error, answer });
    }
    this.#hasSucceeded ||= isDelivered;
    if (isDelivered) this.#schedule.succeeded(attempts);
    else this.#schedule.failed(attempts, error ?? 'Not delivered.', Date.now(), notBefore, isUnsent);
    this.#hasDelivered ||= isDelivered && result !== unwanted;
    if (error !== null) this.#lastError = error;
  }

  /** Changes that waited are read again. @throws what the database throws */
  async #sendAll(attempts: readonly Attempt<FeedChange>[]): Promise<SendResult> {
    const { feed, receiver } = this.#options;
    const changes = await Promise.all(attempts.map(async ({ change, position }) => change ?? feed.at(position)));
    const found = changes.filter((change) => change !== undefined);
    // Waiting changes were not filtered while their type was not in use; the filter may also have changed since.
    if (found.length > 0 && found.every((change) => !receiver.wants(change))) return unwanted;
    if (found.length < changes.length) return gone;
    try {
      return await receiver.send(found, attempts[0]?.number ?? 1, this.#sends.signal);
    } catch (error) {
      return { isDelivered: false, status: null, error: describeError(error), answer: null };
    }
  }

  #store(isForced = false): Promise<void> {
    if (this.#storing !== undefined) return this.#storing;
    const elapsed = performance.now() - this.#storedAt;
    if (!isForced && elapsed < storeIntervalMs) return Promise.resolve();
    const changes = this.#schedule.changes(Date.now());
    if (!isForced && changes === undefined && this.#attempts.length === 0 && elapsed < touchIntervalMs) {
      return Promise.resolve();
    }
    this.#storedAt = performance.now();
    const { id, store, claim } = this.#options;
    const attempts = this.#attempts;
    this.#attempts = [];
    const receiver = {
      isFailing: this.#isFailing(),
      lastError: this.#lastError,
      hasDelivered: this.#hasDelivered,
    };
    this.#hasDelivered = false;
    this.#storing = this.#track(
      async () => {
        if (!(await store.store(id, claim.lease, { changes, attempts, receiver }))) this.isLost = true;
      },
      () => {
        this.#storing = undefined;
      },
    );
    return this.#storing;
  }

  /** The first failures of a run say nothing: the run before it may have ended while all attempts failed. */
  #isFailing(): boolean | null {
    if (this.#schedule.failuresInARow >= failingAfter) return true;
    return this.#hasSucceeded ? false : null;
  }

  #isIdle(): boolean {
    const isBusy = this.#inFlight > 0 || this.#reading !== undefined || this.mayHaveMore;
    return !isBusy && this.#schedule.isSettled && performance.now() - this.#busyAt > this.#idleMs;
  }

  #isWoken(): boolean {
    return this.mayHaveMore || this.isEnding;
  }

  /** @returns undefined when there is something to do after all */
  async #rest(): Promise<DeliverOutcome | undefined> {
    await this.#storing;
    await this.#store(true);
    if (this.#failure !== undefined || this.isLost || this.#isWoken()) return undefined;
    const { id, store, claim } = this.#options;
    await store.release(id, claim.lease);
    if (this.#isWoken()) return { next: 'again' };
    const nextAt = this.#schedule.nextAt(Date.now());
    return nextAt === undefined
      ? { next: 'wait' }
      : { next: 'wait', retryInMs: Math.max(0, Math.ceil(nextAt - Date.now())) };
  }

  /** Waits for open deliveries and stores their results. */
  async #end(): Promise<DeliverOutcome> {
    const deadline = performance.now() + drainMs;
    while (this.#inFlight > 0 && performance.now() < deadline) await this.#bell.wait(deadline - performance.now());
    this.#sends.abort();
    await this.#storing;
    await this.#store(true);
    if (!this.isLost) await this.#options.store.release(this.#options.id, this.#options.claim.lease);
    if (this.#failure !== undefined) throw this.#failure;
    return { next: 'again' };
  }

  #untilNext(): number {
    const hasSlot = this.#inFlight < this.#options.receiver.concurrency;
    const nextAt = hasSlot ? this.#schedule.nextAt(Date.now()) : undefined;
    const due = nextAt === undefined ? tickMs : Math.max(1, nextAt - Date.now());
    const isDirty = this.#attempts.length > 0;
    return Math.min(tickMs, due, isDirty ? storeIntervalMs : tickMs);
  }

  /** A failure of the database ends the delivery; the next one begins at what was stored. */
  async #track(work: () => Promise<void>, end: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    } finally {
      end();
      this.#bell.ring();
    }
  }
}

/** Wakes a loop up, also when it rings before the loop waits. */
interface Bell {
  ring(): void;
  wait(timeoutMs: number): Promise<void>;
}

function createBell(): Bell {
  let isRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wakeUp?.();
    },
    async wait(timeoutMs) {
      if (!isRung) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
          timer = setTimeout(resolve, timeoutMs);
        });
        clearTimeout(timer);
        wakeUp = undefined;
      }
      isRung = false;
    },
  };
}
