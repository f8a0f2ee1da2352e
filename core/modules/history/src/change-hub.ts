import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/plugin-api';
import type { Policy, Scope } from '@gantry/core-content';
import type { ChangePage } from '@gantry/core-http/ports';
import type { ChangeReader } from './read-changes';
import { comparePositions, type Position } from '@gantry/core-database';

/** A client of the feed: a stream, a webhook, or the subscription of a plugin. */
export interface Follower {
  readonly scope: Scope;
  /** Codes of the types that it follows; all that its scope sees when undefined. */
  readonly types: ReadonlySet<string> | undefined;
  /** @param page JSON texts of changes of these types, in order; there may be none, and the position moves all the same */
  onPage(page: ChangePage): void;
  /** Called when the feed cannot be read; the follower is no longer served. */
  onLost(error: unknown): void;
}

/** Reads the feed once for all followers of the same policy, as soon as there is something to read. */
export interface ChangeHub {
  /** @returns what ends it */
  follow(position: Position, follower: Follower): () => void;
  close(): void;
}

export interface ChangeHubOptions {
  readonly changes: ChangeReader;
  /** Calls its listener when this process has committed a write. */
  readonly onCommit: (listener: () => void) => () => void;
  readonly logger: Logger;
}

/** Writes of other processes are found within this time. */
const pollIntervalMs = 1_000;
/** Wake-ups of writers come at most that often. */
const wakeIntervalMs = 50;
const pageSize = 500;

interface Group {
  readonly scope: Scope;
  position: Position;
  readonly followers: Set<Follower>;
}

/** Followers of one policy are read for together; one that comes back and is behind, separately until it has caught up. */
export function createChangeHub(options: ChangeHubOptions): ChangeHub {
  const groups = new Set<Group>();
  const ended = new AbortController();
  let wake = (): void => undefined;
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (groups.size > 0 && !ended.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (await readAll(options, groups)) continue;
      await Promise.race([woken, delay(pollIntervalMs, undefined, { ref: false })]);
      await delay(wakeIntervalMs);
    }
    isRunning = false;
  };
  const stopListening = options.onCommit(() => wake());
  return {
    follow(position, follower) {
      groups.add({ scope: follower.scope, position, followers: new Set([follower]) });
      wake();
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      return () => unfollow(groups, follower);
    },
    close() {
      stopListening();
      ended.abort();
      groups.clear();
      wake();
    },
  };
}

function unfollow(groups: Set<Group>, follower: Follower): void {
  for (const group of groups) {
    group.followers.delete(follower);
    if (group.followers.size === 0) groups.delete(group);
  }
}

/** @returns whether there is more to be read at once */
async function readAll(options: ChangeHubOptions, groups: Set<Group>): Promise<boolean> {
  const more = await Promise.all(
    [...byPolicy(groups).values()].map((ordered) => readInOrder(options, groups, ordered)),
  );
  return more.some(Boolean);
}

/** Of one policy, the one furthest behind first: others that no change lies between are read with it from then on. */
async function readInOrder(options: ChangeHubOptions, groups: Set<Group>, ordered: Group[]): Promise<boolean> {
  let hasMore = false;
  for (let group = ordered.shift(); group !== undefined; group = ordered.shift()) {
    const page = await readPage(options, groups, group);
    if (page === undefined) continue;
    while (ordered[0] !== undefined && isNothingBefore(page, ordered[0].position)) {
      join(groups, group, ordered.shift());
    }
    hasMore ||= page.hasMore;
    if (comparePositions(page.next, group.position) <= 0) continue;
    group.position = page.next;
    for (const follower of group.followers) follower.onPage(pageFor(follower, page));
  }
  return hasMore;
}

/** A page without changes that the scope sees may have been filled by others. */
function isNothingBefore({ changes: [first], next, hasMore }: ChangePage, position: Position): boolean {
  if (first !== undefined) return comparePositions(position, first.position) < 0;
  return !hasMore || comparePositions(position, next) <= 0;
}

function join(groups: Set<Group>, group: Group, joined: Group | undefined): void {
  if (joined === undefined) return;
  groups.delete(joined);
  for (const follower of joined.followers) group.followers.add(follower);
  if (comparePositions(joined.position, group.position) > 0) group.position = joined.position;
}

async function readPage(
  { changes, logger }: ChangeHubOptions,
  groups: Set<Group>,
  group: Group,
): Promise<ChangePage | undefined> {
  try {
    return await changes.after(group.scope, group.position, pageSize);
  } catch (error) {
    groups.delete(group);
    logger.warn({ err: error }, 'the change feed could not be read for its followers');
    for (const follower of group.followers) follower.onLost(error);
    return undefined;
  }
}

function byPolicy(groups: ReadonlySet<Group>): ReadonlyMap<Policy, Group[]> {
  const found = new Map<Policy, Group[]>();
  for (const group of groups) {
    const ofPolicy = found.get(group.scope.policy);
    if (ofPolicy === undefined) found.set(group.scope.policy, [group]);
    else ofPolicy.push(group);
  }
  for (const ofPolicy of found.values()) ofPolicy.sort((one, other) => comparePositions(one.position, other.position));
  return found;
}

function pageFor({ types }: Follower, page: ChangePage): ChangePage {
  return types === undefined ? page : { ...page, changes: page.changes.filter(({ type }) => types.has(type)) };
}
