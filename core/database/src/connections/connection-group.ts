import { setTimeout as delay } from 'node:timers/promises';
import { GantryError } from '@gantry/plugin-api/errors';
import { sqlStateOf } from '../database-errors';

/** The pools of a host, which help each other when PostgreSQL has no connection left. */
export interface ConnectionGroup {
  /** @param closeIdle closes the idle connections of a pool */
  add(closeIdle: () => void): void;
  /**
   * Acquires a connection. While PostgreSQL has none left, the idle ones of all pools are closed and it is tried again.
   * @param timeoutMs after which no further try begins
   */
  acquire<T>(open: () => Promise<T>, timeoutMs: number): Promise<T>;
}

/** SQLSTATE too_many_connections. */
const tooManyConnections = '53300';

/** Between two tries; not all at the same moment. */
const retryMs = { min: 50, max: 150 } as const;

export function createConnectionGroup(): ConnectionGroup {
  const members: (() => void)[] = [];
  const retry = async <T>(open: () => Promise<T>, timeoutMs: number, first: unknown): Promise<T> => {
    const end = performance.now() + timeoutMs;
    for (let failure = first; ;) {
      if (!isExhausted(failure) || performance.now() >= end) throw failure;
      for (const closeIdle of members) closeIdle();
      await delay(retryMs.min + Math.random() * (retryMs.max - retryMs.min));
      try {
        return await open();
      } catch (error) {
        failure = error;
      }
    }
  };
  return {
    add: (closeIdle) => void members.push(closeIdle),
    acquire: (open, timeoutMs) => open().catch((error: unknown) => retry(open, timeoutMs, error)),
  };
}

/** Whether PostgreSQL refused a connection because it has none left. */
export function isExhausted(error: unknown): boolean {
  return sqlStateOf(error) === tooManyConnections;
}

/** Requests that wait for one connection at most. */
const maxWaitingPerConnection = 100;

/** @throws GantryError UNAVAILABLE when so many wait for a pool of this size that another one would hardly get a connection */
export function assertQueueHasRoom(waiting: number, poolSize: number): void {
  if (waiting < poolSize * maxWaitingPerConnection) return;
  throw new GantryError('UNAVAILABLE', 'Too many requests wait for a connection to the database. Try again later.', {
    headers: { 'Retry-After': '5' },
  });
}
