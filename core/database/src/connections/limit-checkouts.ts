import type { Pool, PoolClient } from 'pg';

/** How often held connections are checked, unless the limit is shorter. */
const checkIntervalMs = 1_000;

/**
 * Ends the connections of a pool that are held for longer than `limitMs`, so that their statements fail: a server that freezes never
 * reports its own timeout. One timer serves the pool, as pg's own timer for each statement costs a tenth of a list
 * (docs/decisions/0008).
 */
export function limitCheckouts(pool: Pool, limitMs: number): void {
  const intervalMs = Math.min(checkIntervalMs, limitMs / 2);
  const checksUntilEnd = Math.ceil(limitMs / intervalMs);
  const acquiredAt = new Map<PoolClient, number>();
  let checks = 0;
  const timer = setInterval(() => {
    if (pool.ended) clearInterval(timer);
    checks += 1;
    for (const [client, since] of acquiredAt) {
      // Rejects the statement; its caller releases the connection.
      if (checks - since > checksUntilEnd) void client.end();
    }
  }, intervalMs).unref();
  pool.on('acquire', (client) => void acquiredAt.set(client, checks));
  pool.on('release', (_error, client) => void acquiredAt.delete(client));
}
