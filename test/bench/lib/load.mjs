import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'wrk.lua');
let runs = 0;

/**
 * Loads an address, with 32 connections by default, by `wrk`, which costs a tenth of what a load generator in Node.js does: the server and
 * PostgreSQL have the rest of the machine.
 * @param {{ seconds: number, method?: string, bodies?: readonly string[], highestId?: number, header?: string, connections?: number, pauseMs?: number }} options bodies are sent in
 * turn, `{n}` in one is a new number for each request; `{id}` in the path is a random number up to `highestId`, `{next}` each number from it on; `header` as in `accept: text/html`;
 * each connection waits `pauseMs` before it sends a request, so that a machine is not fully loaded and latency means something
 * @returns {Promise<{ perSecond: number, requests: number, p50: number, p99: number, wrong: number }>} latency in
 * milliseconds, and answers that were not 2xx
 */
export async function load(
  url,
  { seconds, method = 'POST', bodies = [], highestId = 1, header = '', connections = 32, pauseMs = 0 },
) {
  runs += 1;
  const { origin, pathname, search } = new URL(url);
  const path = decodeURI(pathname) + search;
  const seed = `${process.pid}${runs}`;
  const own = [method, path, String(highestId), seed, header, String(pauseMs), ...bodies];
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    origin,
    '--',
    ...own,
  ]).catch(explain);
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1));
  return { ...result, perSecond: result.requests / result.seconds };
}

function explain(error) {
  if (error.code === 'ENOENT') throw new Error('wrk is not installed. Install it, for example: apt-get install wrk');
  throw error;
}

/** Measures two things in turn, `rounds` times, so that both meet the same machine. */
export async function inTurn(rounds, first, second) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // The order changes, so that neither side always follows the other.
    if (round % 2 === 0) pairs.push([await first(), await second()]);
    else pairs.push([await second(), await first()].toReversed());
  }
  return pairs;
}

export function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
