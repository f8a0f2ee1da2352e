import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './run.mjs';

/** Starts the built command line. `ended` resolves with its exit code and what it has printed. */
export function gantry(words, environment = {}) {
  const child = spawn(process.execPath, [join(root, 'cli/bin/gantry.js'), ...words], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child, ended, output: () => output };
}

/** Runs a command to its end. @returns what it has printed */
export async function run(words) {
  const { code, output } = await gantry(words).ended;
  if (code !== 0) throw new Error(`gantry ${words[0]} failed: ${output}`);
  return output;
}

/** Sends a request to a platform. @param body a picture, or what becomes JSON */
export async function request({ address }, method, path, body, headers = {}) {
  const isPicture = Buffer.isBuffer(body);
  const response = await fetch(new URL(path, address), {
    method,
    headers: { 'content-type': isPicture ? 'image/png' : 'application/json', ...headers },
    body: isPicture ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, text: await response.text() };
}

const readyTimeoutMs = 180_000;

/** A `gantry up` on a free port that is ready. */
export async function startPlatform(home, environment = {}) {
  const settings = { GANTRY_PORT: '0', LOG_LEVEL: 'warn', ...environment };
  const { child, ended, output } = gantry(['up', '--home', home], settings);
  const deadline = performance.now() + readyTimeoutMs;
  while (!/^ +Stop /m.test(output())) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`gantry up did not become ready: ${output()}`);
    }
    await delay(100);
  }
  const { address, databaseUrl } = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8'));
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGINT');
    await ended;
  };
  return { address, databaseUrl, stop };
}
