import type { Position } from '@gantry/core-database';

/** A change that is to be delivered. */
export interface Deliverable {
  readonly position: Position;
  /** The item that it is a change of: those of one item are delivered in order, one at a time. */
  readonly item: string;
}

/** A change that was not delivered at once: it failed, or waits for one of the same item. */
export interface WaitingChange extends Deliverable {
  /** Attempts that failed; 0 for one that waits for another change. */
  readonly attempts: number;
  /** Unix time in milliseconds when it began to wait. */
  readonly since: number;
  /** Unix time in milliseconds of its next attempt. */
  readonly dueAt: number;
  readonly error: string | null;
}

/** Decisions of a schedule since it was last asked; to be stored together. */
export interface ScheduleChanges {
  /** All changes up to it are delivered, or are among those that wait or were given up. */
  readonly cursor: Position;
  readonly waiting: readonly WaitingChange[];
  /** Changes that do not wait any more. */
  readonly settled: readonly Position[];
  readonly givenUp: readonly WaitingChange[];
}

export interface ScheduleOptions {
  readonly cursor: Position;
  /** Changes that wait from before, in order. */
  readonly waiting: readonly WaitingChange[];
  /** Milliseconds after which a change that is refused is given up. */
  readonly giveUpAfterMs: number;
  /** A number from 0 to 1 that spreads attempts; Math.random unless given. */
  readonly random?: () => number;
}

/** Chooses the changes to deliver next. Pure: times come in, and changes of the stored state come out. */
export interface DeliverySchedule<T extends Deliverable> {
  /** Adds changes that were read from the feed, in order; `next` is the position up to which it was read. */
  add(changes: readonly T[], next: Position, now: number): void;
  /** How many more may be added now. */
  readonly capacity: number;
  /**
   * The changes that may be sent together now, in order, at most `max`; they must be reported to `succeeded` or `failed`. More than one
   * only of those that have not failed yet. Empty when there is nothing to send now.
   */
  take(now: number, max?: number): readonly Attempt<T>[];
  succeeded(attempts: readonly Attempt<T>[]): void;
  /**
   * @param notBefore Unix time before which the receiver wants no other attempt
   * @param isUnsent nothing was sent, so that it says nothing about the receiver
   */
  failed(attempts: readonly Attempt<T>[], error: string, now: number, notBefore?: number, isUnsent?: boolean): void;
  /** Unix time at which `take` has something again without another event; undefined when it has nothing. */
  nextAt(now: number): number | undefined;
  /** Changes of the stored state; undefined without any. */
  changes(now: number): ScheduleChanges | undefined;
  /** Whether everything that was added is delivered or waits for another attempt, and nothing is being sent. */
  readonly isSettled: boolean;
  /** Attempts that failed since the last one that succeeded. */
  readonly failuresInARow: number;
}

/** An attempt to deliver a change. */
export interface Attempt<T> {
  /** Undefined for a change that waited: it is read again. */
  readonly change: T | undefined;
  readonly position: Position;
  readonly item: string;
  /** 1 for the first one. */
  readonly number: number;
}

/** Changes that are read ahead at most: as many may be delivered twice after a crash. */
const maxWindow = 1_000;
/** Changes that wait at most; more are read when some of them are delivered or given up. */
const maxWaiting = 10_000;
/** Milliseconds until a change is tried again. */
const retryMs = { first: 1_000, max: 300_000 } as const;
/** An attempt that takes longer is stored as one that waits. */
const slowMs = 300;
/** After so many failures in a row the receiver counts as not available. */
const unavailableAfter = 8;
/** Milliseconds between attempts with changes that are new, while the receiver is not available. */
const probeMs = { first: 1_000, max: 30_000 } as const;

interface Entry<T> {
  readonly position: Position;
  readonly item: string;
  change: T | undefined;
  attempts: number;
  /** Set while it waits, also in the database. */
  since: number | undefined;
  dueAt: number;
  error: string | null;
  isSettled: boolean;
}

/**
 * Changes of an item are sent one at a time and in order. One that fails is put aside, with those of its item that follow it, so that the
 * cursor passes it and others go on; it is tried again with exponential back-off. When the receiver as a whole fails, new changes are
 * tried one at a time and ever more rarely, so that they wait in the feed and not aside.
 */
export function createDeliverySchedule<T extends Deliverable>(options: ScheduleOptions): DeliverySchedule<T> {
  return new Schedule<T>(options);
}

class Schedule<T extends Deliverable> implements DeliverySchedule<T> {
  failuresInARow = 0;
  readonly #giveUpAfterMs: number;
  readonly #random: () => number;
  /** Changes that were read and the cursor has not passed. */
  readonly #window: { readonly position: Position; readonly entry: Entry<T> | undefined }[] = [];
  /** Undelivered changes by item, in order; the first one may be on its way. */
  readonly #queues = new Map<string, Entry<T>[]>();
  /** Items of changes that are on their way, and when they were sent. */
  readonly #sending = new Map<string, number>();
  /** Items whose first change may be sent, in order of arrival. */
  readonly #ready = new Set<string>();
  /** Items whose first change waits for its time. */
  readonly #delayed = new Set<string>();
  /** Entries whose state is not stored yet. */
  readonly #unstored = new Set<Entry<T>>();
  readonly #settled: Position[] = [];
  readonly #givenUp: WaitingChange[] = [];
  #cursor: Position;
  #waitingCount = 0;
  #nextProbeAt = 0;
  /** No change waits for a time before this one. */
  #earliestDue = Infinity;
  #isChanged = false;

  constructor({ cursor, waiting, giveUpAfterMs, random = Math.random }: ScheduleOptions) {
    this.#cursor = cursor;
    this.#giveUpAfterMs = giveUpAfterMs;
    this.#random = random;
    for (const change of waiting) {
      this.#enqueue({ ...change, change: undefined, isSettled: true }, change.since);
      this.#waitingCount += 1;
    }
    this.#unstored.clear();
    this.#isChanged = false;
  }

  add(changes: readonly T[], next: Position, now: number): void {
    for (const change of changes) {
      const { position, item } = change;
      const fresh = { attempts: 0, since: undefined, dueAt: 0, error: null, isSettled: false };
      const entry: Entry<T> = { position, item, change, ...fresh };
      this.#window.push({ position, entry });
      this.#enqueue(entry, now);
    }
    this.#window.push({ position: next, entry: undefined });
    this.#isChanged = true;
  }

  get capacity(): number {
    return Math.max(0, Math.min(maxWindow - this.#window.length, maxWaiting - this.#waitingCount));
  }

  take(now: number, max = 1): readonly Attempt<T>[] {
    this.#becomeDue(now);
    const taken: Attempt<T>[] = [];
    for (const item of this.#ready) {
      const [head] = this.#queues.get(item) ?? [];
      if (head === undefined) continue;
      const isNew = head.attempts === 0;
      const isProbe = isNew && this.#isUnavailable();
      if (isProbe && now < this.#nextProbeAt) continue;
      if (!isNew && taken.length > 0) continue;
      taken.push(this.#start(head, now));
      if (isProbe) this.#nextProbeAt = now + this.#delayOf(this.failuresInARow - unavailableAfter, probeMs);
      if (!isNew || isProbe || taken.length >= max) break;
    }
    return taken;
  }

  succeeded(attempts: readonly Attempt<T>[]): void {
    for (const { item } of attempts) {
      this.#sending.delete(item);
      const [head] = this.#queues.get(item) ?? [];
      if (head !== undefined) this.#finish(head);
    }
    if (this.#isUnavailable()) this.#retryAll();
    this.failuresInARow = 0;
  }

  failed(attempts: readonly Attempt<T>[], error: string, now: number, notBefore = 0, isUnsent = false): void {
    if (!isUnsent) this.failuresInARow += 1;
    for (const { item } of attempts) {
      this.#sending.delete(item);
      const queue = this.#queues.get(item) ?? [];
      const [head] = queue;
      if (head === undefined) continue;
      head.attempts += 1;
      const since = head.since ?? now;
      if (now - since >= this.#giveUpAfterMs) {
        this.#givenUp.push({ ...waitingOf(head, since), error });
        this.#finish(head);
        continue;
      }
      head.dueAt = Math.max(now + this.#delayOf(head.attempts - 1, retryMs), notBefore);
      for (const entry of queue) if (entry === head || entry.since === undefined) this.#putAside(entry, now);
      head.error = error;
      this.#delay(head);
    }
  }

  nextAt(now: number): number | undefined {
    const due = this.#delayed.size > 0 ? this.#earliestDue : Infinity;
    const next = this.#ready.size === 0 ? due : Math.min(due, this.#isUnavailable() ? this.#nextProbeAt : now);
    return next === Infinity ? undefined : next;
  }

  changes(now: number): ScheduleChanges | undefined {
    for (const { entry } of this.#window) {
      if (entry?.isSettled === false && this.#isSlow(entry.item, now)) this.#putAside(entry, now);
    }
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    let passed = 0;
    for (const { position, entry } of this.#window) {
      if (entry?.isSettled === false) break;
      this.#cursor = position;
      passed += 1;
    }
    this.#window.splice(0, passed);
    const waiting = [...this.#unstored].map((entry) => waitingOf(entry, entry.since ?? now));
    this.#unstored.clear();
    return { cursor: this.#cursor, waiting, settled: this.#settled.splice(0), givenUp: this.#givenUp.splice(0) };
  }

  get isSettled(): boolean {
    return this.#sending.size === 0 && this.#window.every(({ entry }) => entry?.isSettled !== false);
  }

  #enqueue(entry: Entry<T>, now: number): void {
    const queue = this.#queues.get(entry.item);
    if (queue === undefined) {
      this.#queues.set(entry.item, [entry]);
      if (entry.dueAt > 0) this.#delay(entry);
      else this.#ready.add(entry.item);
      return;
    }
    const [head] = queue;
    queue.push(entry);
    if (head?.since !== undefined) this.#putAside(entry, now);
  }

  #start(entry: Entry<T>, now: number): Attempt<T> {
    const { change, position, item, attempts } = entry;
    this.#ready.delete(item);
    this.#sending.set(item, now);
    return { change, position, item, number: attempts + 1 };
  }

  /** A slow item must not keep the cursor back, behind which others would be delivered again after a crash. */
  #isSlow(item: string, now: number): boolean {
    return now - (this.#sending.get(item) ?? now) > slowMs;
  }

  #putAside(entry: Entry<T>, now: number): void {
    if (entry.since === undefined) {
      entry.since = now;
      this.#waitingCount += 1;
    }
    entry.change = undefined;
    this.#unstored.add(entry);
    this.#settle(entry);
  }

  #settle(entry: Entry<T>): void {
    entry.isSettled = true;
    this.#isChanged = true;
  }

  /** Takes the first change of an item away and makes the one after it ready. */
  #finish(entry: Entry<T>): void {
    const queue = this.#queues.get(entry.item) ?? [];
    queue.shift();
    if (entry.since !== undefined) {
      this.#waitingCount -= 1;
      this.#unstored.delete(entry);
      this.#settled.push(entry.position);
    }
    this.#settle(entry);
    if (queue.length === 0) this.#queues.delete(entry.item);
    else this.#ready.add(entry.item);
  }

  #delay({ item, dueAt }: Entry<T>): void {
    this.#delayed.add(item);
    this.#earliestDue = Math.min(this.#earliestDue, dueAt);
  }

  #becomeDue(now: number): void {
    if (now < this.#earliestDue) return;
    this.#earliestDue = Infinity;
    for (const item of this.#delayed) {
      const [head] = this.#queues.get(item) ?? [];
      if (head !== undefined && head.dueAt > now) {
        this.#earliestDue = Math.min(this.#earliestDue, head.dueAt);
        continue;
      }
      this.#delayed.delete(item);
      if (head !== undefined) this.#ready.add(item);
    }
  }

  #isUnavailable(): boolean {
    return this.failuresInARow >= unavailableAfter;
  }

  /** The receiver is available again: what waits need not wait any longer. */
  #retryAll(): void {
    for (const item of this.#delayed) for (const entry of this.#queues.get(item) ?? []) entry.dueAt = 0;
    this.#earliestDue = 0;
  }

  /** Doubles with each attempt; a fifth of it is by chance, so that many do not come at once. */
  #delayOf(attempt: number, { first, max }: { readonly first: number; readonly max: number }): number {
    return Math.min(first * 2 ** Math.min(attempt, 30), max) * (0.8 + 0.2 * this.#random());
  }
}

function waitingOf<T>(entry: Entry<T>, since: number): WaitingChange {
  const { position, item, attempts, dueAt, error } = entry;
  return { position, item, attempts, since, dueAt, error };
}
