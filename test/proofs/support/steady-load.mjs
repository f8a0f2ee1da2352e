import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { createRandom } from './random.mjs';

/**
 * Sends requests at a fixed rate, each at its time whether or not earlier ones are answered, and notes for each when it was due, and how
 * long after that its answer had arrived. (autocannon sends the requests of each second at its beginning, and does not obey
 * `Connection: close`.) It works in a process whose priority is higher, as it stands for other machines.
 */
export function startSteadyLoad(address, { rate, seed, products, catalog }) {
  const child = fork(import.meta.filename, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The load has ended (${code})`)));
    child.on('message', resolve);
  });
  ended.catch(() => undefined);
  child.send({ address, rate, seed, products, catalog });
  return {
    /** @returns what was sent: { due, ms, late, failure? }, times as performance.timeOrigin + performance.now() */
    stop: async () => {
      child.send('stop');
      const sent = await ended;
      child.disconnect();
      return sent;
    },
    end: () => void child.kill(),
  };
}

const connections = 20;
const timeoutMs = 10_000;

function run({ address, rate, seed, products, catalog }) {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Only the administrator of a machine may do that.
  }
  const random = createRandom(seed);
  const pick = (items) => items[Math.floor(random() * items.length)];
  // Each connection is used again and again: one that rests for two seconds may be closed while a request is on its way.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const origin = new URL(address);
  const results = [];
  const begin = performance.now();
  let sent = 0;
  let isStopped = false;
  const send = (due) => {
    const late = performance.now() - due;
    const { method, path, body, expected } = next(random, pick, { products, catalog, number: sent });
    const end = (failure) => {
      const ms = performance.now() - due;
      results.push({
        due: performance.timeOrigin + due,
        ms,
        late,
        ...(failure ? { failure: `${method} ${path}: ${failure}` } : {}),
      });
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const outgoing = request({ agent, host: origin.hostname, port: origin.port, method, path, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error) => end(error.message));
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        const isWhole = response.statusCode === expected && response.complete && answer.endsWith('}');
        end(isWhole ? undefined : `${response.statusCode} ${answer.slice(0, 300)}`);
      });
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', (error) => end(error.code ?? error.message));
    outgoing.end(text);
  };
  const tick = () => {
    while (!isStopped && performance.now() >= begin + (sent * 1_000) / rate) {
      send(begin + (sent * 1_000) / rate);
      sent += 1;
    }
    if (!isStopped) setTimeout(tick, 1);
  };
  tick();
  return async () => {
    isStopped = true;
    while (results.length < sent) await new Promise((resolve) => setTimeout(resolve, 10));
    agent.destroy();
    return results;
  };
}

/** Requests of plugins that are not changed: four of five read. */
function next(random, pick, { products, catalog, number }) {
  const choice = random();
  const one = `/api/cms/items/product/${pick(products)}`;
  const price = Math.floor(random() * 1_000);
  const name = `name ${number % 20}`;
  if (choice < 0.4) return { method: 'GET', path: one, expected: 200 };
  if (choice < 0.7) {
    const body = [{ field: 'name', operator: 'CONTAINS', value: name }];
    return { method: 'POST', path: '/api/cms/items/product/list?limit=20', body, expected: 200 };
  }
  if (choice < 0.8) return { method: 'GET', path: '/api/cms/items/types', expected: 200 };
  if (choice < 0.9) return { method: 'PATCH', path: one, body: { price }, expected: 200 };
  const body = { code: `load-${number}`, name, catalog, price };
  return { method: 'POST', path: '/api/cms/items/product', body, expected: 201 };
}

if (process.argv[1] === import.meta.filename) {
  let stop;
  process.on('message', (message) => {
    if (message !== 'stop') stop = run(message);
    else void stop().then((results) => process.send(results));
  });
}
