import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/plugin-api';
import type { Policy } from '../policy/policy';
import type { Scope } from '../policy/scope';
import type { ChangePage, ChangeReader } from './read-changes';
import { comparePositions, type Position } from './position';

/** What follows the feed. */
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

/** What other processes write is found within that time. */
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
export function createChangeHub({ changes, onCommit, logger }: ChangeHubOptions): ChangeHub {
  const groups = new Set<Group>();
  const ended = new AbortController();
  let wake: (() => void) | undefined;
  let isRunning = false;

  const run = async (): Promise<void> => {
    while (groups.size > 0 && !ended.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const hasMore = await readAll();
      if (hasMore) continue;
      const waiting = new AbortController();
      await Promise.race([woken, delay(pollIntervalMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
      waiting.abort();
      await delay(wakeIntervalMs);
    }
    isRunning = false;
  };
  const readAll = async (): Promise<boolean> => {
    const more = await Promise.all([...byPolicy(groups).values()].map((ordered) => readInOrder(ordered)));
    return more.some(Boolean);
  };
  /** Of one policy, the one furthest behind first: others that no change lies between are read with it from then on. */
  const readInOrder = async (ordered: Group[]): Promise<boolean> => {
    let hasMore = false;
    for (let group = ordered.shift(); group !== undefined; group = ordered.shift()) {
      const page = await readPage(group);
      if (page === undefined) continue;
      const first = page.changes[0]?.position;
      while (ordered[0] !== undefined && (first === undefined || comparePositions(ordered[0].position, first) < 0)) {
        const joined = ordered.shift();
        if (joined === undefined) break;
        groups.delete(joined);
        for (const follower of joined.followers) group.followers.add(follower);
        if (comparePositions(joined.position, group.position) > 0) group.position = joined.position;
      }
      hasMore ||= page.hasMore;
      if (comparePositions(page.next, group.position) <= 0) continue;
      group.position = page.next;
      for (const follower of group.followers) follower.onPage(pageFor(follower, page));
    }
    return hasMore;
  };
  const readPage = async (group: Group): Promise<ChangePage | undefined> => {
    try {
      return await changes.after(group.scope, group.position, pageSize);
    } catch (error) {
      groups.delete(group);
      logger.warn({ err: error }, 'the change feed could not be read for its followers');
      for (const follower of group.followers) follower.onLost(error);
      return undefined;
    }
  };
  const start = (): void => {
    wake?.();
    if (isRunning) return;
    isRunning = true;
    void run();
  };
  const stopListening = onCommit(() => wake?.());
  return {
    follow(position, follower) {
      const group: Group = { scope: follower.scope, position, followers: new Set([follower]) };
      groups.add(group);
      start();
      return () => {
        for (const one of groups) {
          one.followers.delete(follower);
          if (one.followers.size === 0) groups.delete(one);
        }
      };
    },
    close() {
      stopListening();
      ended.abort();
      groups.clear();
      wake?.();
    },
  };
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
