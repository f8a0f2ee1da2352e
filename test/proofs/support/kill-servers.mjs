import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Kills a server of a platform that runs on a home, and waits until it is started again. */
export async function killServer(home, server) {
  const pid = pidOf(home, server);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGKILL');
  const deadline = performance.now() + 120_000;
  while ([undefined, pid].includes(pidOf(home, server))) {
    if (performance.now() > deadline) throw new Error(`${server} did not come back`);
    await delay(100);
  }
  return true;
}

/** @param statuses one of which the platform has to report */
export async function untilReady(address, statuses = ['ready', 'degraded']) {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    const body = await answer?.json().catch(() => undefined);
    if (statuses.includes(body?.data?.status)) return;
    if (performance.now() > deadline) throw new Error('The platform did not become ready after a kill.');
    await delay(200);
  }
}

/** Undefined while it does not run. */
export function pidOf(home, server) {
  try {
    if (server === 'temporal') return readJson(join(home, 'temporal/runtime.json')).process?.pid;
    const { host, servers } = readJson(join(home, 'run.json'));
    return server === 'host' ? host?.pid : servers[server];
  } catch {
    return undefined;
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
