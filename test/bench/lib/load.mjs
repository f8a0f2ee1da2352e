import autocannon from 'autocannon';

/**
 * Loads an address with 32 connections.
 * @returns {Promise<{ perSecond: number, p50: number, p99: number, wrong: number }>} requests a second, latency in
 * milliseconds, and answers that were no 2xx
 */
export async function load(url, { seconds, method = 'POST', body, bodies }) {
  const requests = bodies === undefined ? undefined : [{ setupRequest: (request) => ({ ...request, body: bodies() }) }];
  const result = await autocannon({
    url,
    method,
    connections: 32,
    duration: seconds,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
    ...(requests === undefined ? {} : { requests }),
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    wrong: result.non2xx + result.errors,
  };
}

/** Measures two things in turn, `rounds` times, so that both meet the same machine. */
export async function inTurn(rounds, first, second) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await first(), await second()]);
  return pairs;
}

export function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
