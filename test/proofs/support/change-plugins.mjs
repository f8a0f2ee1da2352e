import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../../scripts/lib/run.mjs';

/**
 * Enables or disables a plugin over REST, and follows the change to its end.
 * @returns the change with `begin`, `accepted`, `served` (by the next generation) and `end` on the clock of performance.timeOrigin + performance.now()
 */
export async function changePlugin(platform, id, action) {
  const begin = now();
  const { status, body } = await call(platform, 'POST', `/api/platform/plugins/${id}/${action}`, {});
  const accepted = now();
  if (status !== 202) throw new Error(`${action} ${id} answers ${status}: ${JSON.stringify(body)}`);
  const { id: changeId } = body.data.change;
  let served;
  const change = await untilSettled(platform, changeId, (phase) => {
    if (phase !== 'waiting' && phase !== 'starting') served ??= now();
  });
  return { ...change, begin, accepted, served, end: now() };
}

async function untilSettled(platform, id, onPhase, limitMs = 180_000) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const { body } = await call(platform, 'GET', '/api/platform/generations');
    const change = body?.data?.changes?.find((one) => one.id === id);
    if (change !== undefined) onPhase(change.phase);
    if (['done', 'failed'].includes(change?.phase)) return change;
    if (performance.now() > deadline) throw new Error(`A change is not settled: ${JSON.stringify(body)}`);
    await delay(50);
  }
}

/** On a connection for each request, as one that is kept may be closed by the generation that ends. */
export async function call({ address }, method, path, body) {
  const response = await fetch(new URL(path, address), {
    method,
    headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Gives the package in a folder its next version. @returns the version */
export function writeNextVersion(folder) {
  const file = join(folder, 'package.json');
  const json = JSON.parse(readFileSync(file, 'utf8'));
  const [major, minor, patch] = json.version.split('.').map(Number);
  json.version = `${major}.${minor}.${patch + 1}`;
  writeFileSync(file, JSON.stringify(json, undefined, 2));
  return json.version;
}

/** Links that a package in a temporary folder needs to find its peers. */
export function linkModules(folder) {
  if (!existsSync(join(folder, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  }
}

function now() {
  return performance.timeOrigin + performance.now();
}
