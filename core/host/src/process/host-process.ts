import { inspect } from 'node:util';
import type { HostMessage } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';

/**
 * Functions of the process that the host uses. Kept before code of plugins runs: a plugin may replace
 * `process.exit` or `setTimeout`, and remove listeners that are not its own.
 */
export interface HostProcess {
  exit(code: number): never;
  /** To the launcher, if there is one. @param done called when the message is written, or cannot be */
  send(message: HostMessage, done?: () => void): void;
  /** Passes a copy of a socket to the launcher. */
  sendHandle(message: HostMessage, handle: unknown): void;
  isConnected(): boolean;
  on(event: string, listener: (...values: never[]) => void): void;
  off(event: string, listener: (...values: never[]) => void): void;
  /** Does not keep the process running. */
  every(intervalMs: number, work: () => void): void;
  after(delayMs: number, work: () => void): void;
}

export function takeProcess(): HostProcess {
  const { setInterval, setTimeout } = globalThis;
  const exit = process.exit.bind(process);
  const send = process.send?.bind(process);
  const listeners = protectListeners();
  return {
    exit,
    send: (message, done = () => {}) => {
      if (send === undefined || !process.connected) return done();
      send(message, undefined, undefined, () => done());
      return undefined;
    },
    sendHandle: (message, handle) => {
      if (send !== undefined && process.connected) send(message, handle, {}, () => {});
    },
    isConnected: () => process.connected,
    ...listeners,
    every: (intervalMs, work) => void setInterval(work, intervalMs).unref(),
    after: (delayMs, work) => void setTimeout(work, delayMs),
  };
}

type Listener = (...values: never[]) => void;
type Remove = (event: string | symbol, listener: Listener) => void;

/**
 * Keeps the listeners that the process has now, and those that are added by what is returned: only that removes them. Some
 * are Node's own, without which a signal or a message would no longer arrive.
 */
function protectListeners(): Pick<HostProcess, 'on' | 'off'> {
  const kept = new Map<string | symbol, Set<unknown>>();
  const keptFor = (event: string | symbol): Set<unknown> => {
    const known = kept.get(event) ?? new Set();
    kept.set(event, known);
    return known;
  };
  for (const event of process.eventNames()) {
    for (const listener of process.rawListeners(event)) keptFor(event).add(listener);
  }
  const on = process.on.bind(process) as unknown as Remove;
  const remove = process.removeListener.bind(process) as unknown as Remove;
  const removeOthers = (event: string | symbol, listener: Listener): NodeJS.Process => {
    if (kept.get(event)?.has(listener) !== true) remove(event, listener);
    return process;
  };
  const removeAll = (only?: string | symbol): NodeJS.Process => {
    for (const event of only === undefined ? process.eventNames() : [only]) {
      for (const listener of process.rawListeners(event)) removeOthers(event, listener as Listener);
    }
    return process;
  };
  Object.assign(process, { off: removeOthers, removeListener: removeOthers, removeAllListeners: removeAll });
  return {
    on: (event, listener) => {
      keptFor(event).add(listener);
      on(event, listener);
    },
    off: (event, listener) => {
      keptFor(event).delete(listener);
      remove(event, listener);
    },
  };
}

/** Characters of an error that are reported. */
const maxErrorLength = 500;

/** One line about any thrown value. */
export function describeThrown(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${inspect(error, { depth: 0 })}`;
  return truncate(text.replaceAll(/\s*\n\s*/g, ' '), maxErrorLength, ' …');
}
