import type { DeliverInput, DeliverOutcome } from '@gantry/contracts';
import { pause } from '@gantry/core-common';
import type { HealthPart } from '@gantry/core-http';
import type { Logger, Temporal } from '@gantry/plugin-api';
import type { Feed } from './feed';
import { formatPosition, type Position } from '@gantry/core-database';
import { isSamePosition } from './positions';
import { startDelivery, type Delivery, type Receiver } from './run-delivery';
import type { KnownSubscription, SubscriptionStore } from './subscription-store';
import { createWorkflowStarter, type WorkflowNeed, type WorkflowStarter } from './workflow-starter';

/** Delivers the changes of all subscriptions: webhooks, and those of plugins. */
export interface SubscriptionEngine {
  /** Begins to look for changes. */
  start(): void;
  /** Something was committed: subscriptions look soon. Costs next to nothing. */
  notify(): void;
  /** The subscription was added, changed, paused or resumed. */
  refresh(id: string): Promise<void>;
  /** Resolves when there is a subscription for the first time, so that a worker is needed. */
  readonly needed: Promise<void>;
  /** Subscriptions that fail or have a gap. */
  health(): readonly HealthPart[];
  /** The activity of the workflow. */
  deliver(input: DeliverInput, activity: ActivityHandle): Promise<DeliverOutcome>;
  /** Waits for open deliveries and stores their results. */
  stop(): Promise<void>;
}

/** The part of the running activity that the engine uses. */
export interface ActivityHandle {
  heartbeat(): void;
  readonly cancelled: AbortSignal;
}

/** Who gets the changes of subscriptions. */
export interface Receivers {
  /**
   * Codes of the types that a subscription is about, empty for all; undefined when this host cannot deliver it: it is of a plugin that is
   * not in use.
   */
  typesOf(subscription: KnownSubscription): readonly string[] | undefined;
  /** @returns undefined when this host cannot deliver it */
  open(subscription: KnownSubscription): Promise<Receiver | undefined>;
}

export interface SubscriptionEngineOptions {
  readonly store: SubscriptionStore;
  readonly feed: Feed;
  readonly receivers: Receivers;
  readonly temporal: Temporal;
  readonly logger: Logger;
  /** Distinguishes the workflows of this platform from those of others on the same Temporal. */
  readonly installationId: string;
  /** Milliseconds after which a change that is refused is given up; a day unless given. */
  readonly giveUpAfterMs?: number;
}

/** Writes of other programs are found within this time. */
const pollIntervalMs = 1_000;
/** Looks after commits are at least so far apart. */
const notifyIntervalMs = 50;
/** A subscription whose types do not change still passes the feed so often, so that retention does not overtake it. */
const passIntervalMs = 10 * 60_000;
const dayMs = 24 * 60 * 60_000;
const isStopping = 'The host is stopping.';

export function createSubscriptionEngine(options: SubscriptionEngineOptions): SubscriptionEngine {
  const engine = new Engine(options);
  return {
    needed: engine.needed,
    start: () => engine.start(),
    notify: () => engine.notify(),
    refresh: (id) => engine.refresh(id),
    health: () => engine.health(),
    deliver: (input, activity) => engine.deliver(input, activity),
    stop: () => engine.stop(),
  };
}

/** A subscription that this host delivers now. */
interface RunningSubscription extends Pick<KnownSubscription, 'lease' | 'revision'> {
  readonly delivery: Delivery;
}

class Engine implements SubscriptionEngine {
  readonly needed: Promise<void>;
  readonly #options: SubscriptionEngineOptions;
  readonly #stopped = new AbortController();
  readonly #running = new Map<string, RunningSubscription>();
  readonly #starter: WorkflowStarter;
  readonly #looks: Looks;
  #known: ReadonlyMap<string, KnownSubscription> = new Map();
  #end: Position | undefined;
  #passedAt = Date.now();
  #setNeeded = (): void => undefined;

  constructor(options: SubscriptionEngineOptions) {
    this.#options = options;
    this.#starter = createWorkflowStarter(options);
    this.#looks = createLooks(() => this.#look(), options.logger, this.#stopped.signal);
    this.needed = new Promise<void>((resolve) => {
      this.#setNeeded = resolve;
    });
  }

  start(): void {
    this.#looks.start();
  }

  notify(): void {
    if (this.#known.size > 0) this.#looks.soon();
  }

  async refresh(id: string): Promise<void> {
    this.#starter.add(id);
    await this.#looks.now();
  }

  health(): readonly HealthPart[] {
    return [...this.#known.values()].flatMap((subscription): readonly HealthPart[] => {
      const { kind, name, label, state, isFailing, lastError, gapSince } = subscription;
      // Nobody expects that one which is paused, or whose plugin is not in use, delivers.
      if (state !== 'active' || this.#options.receivers.typesOf(subscription) === undefined) return [];
      const part = {
        name: `${kind === 'webhook' ? 'webhook' : 'subscription'} ${label}`,
        status: 'degraded',
        subscription: name,
      } as const;
      if (isFailing) return [{ ...part, message: `No attempt succeeds. Last error: ${lastError ?? 'no answer'}` }];
      if (gapSince === null) return [];
      const message = `Changes since ${gapSince.toISOString()} left the feed before they were delivered.`;
      return [{ ...part, message }];
    });
  }

  async deliver(
    { subscriptionId: id }: DeliverInput,
    { heartbeat, cancelled }: ActivityHandle,
  ): Promise<DeliverOutcome> {
    const { store, feed, receivers, logger, giveUpAfterMs = dayMs } = this.#options;
    if (this.#stopped.signal.aborted) throw new Error(isStopping);
    await endEarlier(this.#running.get(id)?.delivery);
    const subscription = (await store.list()).find((one) => one.id === id);
    const receiver = subscription && (await receivers.open(subscription));
    const claim = receiver && (await store.claim(id, feed.typesInUse(receiver.types)));
    if (subscription === undefined || receiver === undefined || claim === undefined) return { next: 'end' };
    const signal = AbortSignal.any([this.#stopped.signal, cancelled]);
    const delivery = startDelivery({ id, receiver, claim, feed, store, signal, giveUpAfterMs, heartbeat });
    const entry = { lease: claim.lease, revision: subscription.revision, delivery };
    this.#running.set(id, entry);
    logger.debug({ subscription: id, cursor: formatPosition(claim.cursor) }, 'delivery of changes begins');
    try {
      return await delivery.done;
    } finally {
      if (this.#running.get(id) === entry) this.#running.delete(id);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Error(isStopping));
    const deliveries = [...this.#running.values()].map(({ delivery }) => delivery.done.catch(() => undefined));
    await Promise.all([this.#looks.stop(), ...deliveries]);
  }

  async #look(): Promise<void> {
    const { feed, store } = this.#options;
    const now = await feed.end();
    const hasMoved = this.#end === undefined || !isSamePosition(this.#end, now);
    if (hasMoved) for (const { delivery } of this.#running.values()) delivery.wake();
    this.#known = new Map((await store.list()).map((subscription) => [subscription.id, subscription]));
    if (this.#known.size > 0) this.#setNeeded();
    this.#endChanged();
    for (const { id } of await this.#concerned(now)) this.#starter.add(id);
    this.#end = now;
    void this.#starter.start((id) => this.#needOf(id, now));
  }

  /** Deliveries that another host has taken over, or of a subscription that was changed. */
  #endChanged(): void {
    for (const [id, { lease, revision, delivery }] of this.#running) {
      const current = this.#known.get(id);
      if (current?.lease !== lease) delivery.giveWay();
      else if (current.state !== 'active' || current.revision !== revision) delivery.end();
    }
  }

  /** Subscriptions for which there may be something new. */
  async #concerned(now: Position): Promise<readonly KnownSubscription[]> {
    const { feed, receivers } = this.#options;
    const active = [...this.#known.values()].filter(({ id, state }) => state === 'active' && !this.#running.has(id));
    if (this.#end === undefined || Date.now() - this.#passedAt > passIntervalMs) {
      this.#passedAt = Date.now();
      return active;
    }
    if (isSamePosition(this.#end, now) || active.length === 0) return [];
    const changed = await feed.typesBetween(this.#end, now);
    return active.filter((subscription) => {
      const types = receivers.typesOf(subscription);
      return types !== undefined && (types.length === 0 || !changed || types.some((type) => changed.has(type)));
    });
  }

  #needOf(id: string, end: Position): WorkflowNeed {
    const subscription = this.#known.get(id);
    if (subscription?.state !== 'active' || this.#running.has(id)) return 'no';
    const types = this.#options.receivers.typesOf(subscription);
    if (types === undefined) return 'no';
    if (subscription.isRunning) return 'later';
    const { isWaiting, cursor, absentTables } = subscription;
    return isWaiting || !isSamePosition(cursor, end) || this.#isBack(absentTables, types) ? 'now' : 'no';
  }

  /** Whether a type that was not in use when the subscription was last delivered is now. */
  #isBack(absentTables: readonly string[], types: readonly string[]): boolean {
    if (absentTables.length === 0) return false;
    const { wanted } = this.#options.feed.typesInUse(types);
    return absentTables.some((table) => wanted.has(table));
  }
}

/** Of one whose heartbeats did not reach Temporal, while it could not be reached; what it has sent need not be sent again. */
async function endEarlier(delivery: Delivery | undefined): Promise<void> {
  delivery?.end();
  await delivery?.done.catch(() => undefined);
}

interface Looks {
  start(): void;
  /** After a moment, together with others that ask for it. */
  soon(): void;
  /** A look that begins after this call. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

/** Looks once a second, and soon after somebody asks for it; one at a time. */
function createLooks(look: () => Promise<void>, logger: Logger, signal: AbortSignal): Looks {
  let looking: Promise<void> | undefined;
  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  let isFailing = false;

  const lookOnce = async (): Promise<void> => {
    lookedAt = Date.now();
    try {
      await look();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !signal.aborted) {
        logger.warn({ err: error }, 'changes cannot be looked for, subscriptions wait');
      }
      isFailing = true;
    }
  };
  const now = async (): Promise<void> => {
    await looking;
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    await looking;
  };
  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      if (Date.now() - lookedAt >= pollIntervalMs / 2) await now();
      await pause(pollIntervalMs, signal);
    }
  };
  return {
    start() {
      polling ??= poll();
    },
    soon() {
      if (signal.aborted) return;
      const wait = Math.max(0, lookedAt + notifyIntervalMs - Date.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        void now();
      }, wait).unref();
    },
    now,
    async stop() {
      clearTimeout(timer);
      await Promise.all([polling, looking]);
    },
  };
}
