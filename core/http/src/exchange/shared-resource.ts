import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { clientKey } from './caller/client-address';
import { findPrincipal } from './caller/principal';

/** How much of something requests may hold at the same time; docs/security.md has the table of all of these. */
export interface ResourceLimits {
  /** In the words of a sentence, for example `streams of changes`. */
  readonly what: string;
  /** Of all requests to this process; no limit unless given. */
  readonly max?: number;
  /** Of one user, and of one address where there is no credential. */
  readonly share: number;
}

export const sharedResources = {
  importedFiles: { what: 'files that are imported', max: 64, share: 8 },
  /** Each holds a connection of the writes. */
  imports: { what: 'imports', max: 2, share: 1 },
  uploads: { what: 'uploads', share: 8 },
} as const satisfies Readonly<Record<string, ResourceLimits>>;

/** The share that a request holds. */
export interface Holding {
  /** @throws GantryError as {@link SharedResource.hold} does */
  add(amount: number): void;
  release(): void;
}

/** Something of which no single caller can take everything from the others. */
export interface SharedResource {
  /**
   * Holds some of it for a caller, until it is released.
   * @param holder see {@link holderOf}
   * @throws GantryError TOO_MANY_REQUESTS when the caller has its share, UNAVAILABLE when all is taken
   */
  hold(holder: string, amount?: number): Holding;
  /** Holds one while the work runs. @throws GantryError as {@link hold} does */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
}

export function createSharedResource(limits: ResourceLimits): SharedResource {
  const { what, max = Infinity, share } = limits;
  const held = new Map<string, number>();
  let all = 0;
  const change = (holder: string, amount: number): void => {
    all += amount;
    const own = (held.get(holder) ?? 0) + amount;
    if (own === 0) held.delete(holder);
    else held.set(holder, own);
  };
  const hold: SharedResource['hold'] = (holder, amount = 1) => {
    let own = 0;
    const holding: Holding = {
      add(more) {
        const isOverShare = holder !== thisMachine && (held.get(holder) ?? 0) + more > share;
        if (isOverShare) throw refused('TOO_MANY_REQUESTS', shareTaken(what, share));
        if (all + more > max) {
          throw refused('UNAVAILABLE', `This process allows at most ${max} ${what} at the same time.`);
        }
        own += more;
        change(holder, more);
      },
      release() {
        change(holder, -own);
        own = 0;
      },
    };
    holding.add(amount);
    return holding;
  };
  return {
    hold,
    async run(holder, work) {
      const holding = hold(holder);
      try {
        return await work();
      } finally {
        holding.release();
      }
    },
  };
}

/** No other caller has this key. */
export const thisMachine = 'local';

/**
 * By which the requests of one caller are counted: its user, or its address where there is no credential. The person or program of
 * an open platform, or with the token of the home, has no others to leave something to.
 */
export function holderOf(request: IncomingMessage): string {
  const principal = findPrincipal(request);
  if (principal === undefined || principal.kind === 'public') return `address ${clientKey(request)}`;
  return principal.kind === 'local' ? thisMachine : `user ${principal.id}`;
}

function shareTaken(what: string, share: number): string {
  return `A user, or an address without a credential, may have at most ${share} ${what} at the same time.`;
}

function refused(code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE', reason: string): GantryError {
  const message = `${reason} Try again when one of them has ended.`;
  return new GantryError(code, message, { headers: { 'Retry-After': '5' } });
}
