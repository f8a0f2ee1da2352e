/** The purposes of a host's connections. Each has a pool, so that none can take the connections of another. */
export type ConnectionPurpose = keyof typeof weights;

/** How many connections a host has, and how many of them each purpose. */
export type ConnectionShares = Readonly<Record<ConnectionPurpose, number>>;

/** In proportion; they sum to {@link maxConnections}. */
const weights = { read: 10, filter: 10, stream: 12, plugins: 10, write: 10 } as const;

const purposes = Object.keys(weights) as readonly ConnectionPurpose[];

/** Fewer would leave a purpose without a connection. */
export const minConnections = purposes.length;

/** More are of no use to one process. */
export const maxConnections = purposes.reduce((sum, purpose) => sum + weights[purpose], 0);

/** Two hosts, and something left for commands, other programs and a host that takes the place of another one. */
const shareOfHost = 0.4;

/** Divides the connections of a host among its purposes: one each, the others in proportion. */
export function shareConnections(total: number): ConnectionShares {
  const shares = { read: 1, filter: 1, stream: 1, plugins: 1, write: 1 };
  for (let left = total - minConnections; left > 0; left -= 1) {
    const [neediest = 'read'] = purposes.toSorted(
      (one, other) => shares[one] / weights[one] - shares[other] / weights[other],
    );
    shares[neediest] += 1;
  }
  return shares;
}

/** The connections of a host that is given no number. */
export function defaultConnections(limit: number): number {
  return Math.min(maxConnections, Math.max(minConnections, Math.floor(limit * shareOfHost)));
}
