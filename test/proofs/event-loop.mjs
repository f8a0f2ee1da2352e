import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startDatabase, startHost } from '../bench/lib/servers.mjs';
import { adversarialBodies } from './event-loop/adversarial-bodies.mjs';

/**
 * Claim: `/livez` answers within 50 ms during any request. Sends adversarial bodies of 1 MiB, files with lines of 1 MiB and
 * more, and images of very many frames to a host, one at a time, while a thread asks for `/livez` without a pause. What
 * counts is the processor time that the host takes before it answers, which is the time of a quiet machine; a body that takes
 * longer is sent again, and the shortest of the longest waits counts.
 */
export const sizes = {
  ci: { random: 2, repeats: 3, maxAnswerMs: 100 },
  full: { random: 60, repeats: 5, maxAnswerMs: 50 },
};

export default async function prove({ seed, size, log }) {
  const database = await startDatabase();
  try {
    const host = await startHost(database, {
      GANTRY_PLUGIN_PATH: 'plugins',
      GANTRY_IMPORT_LINE_LIMIT: String(16 * 1024 * 1024),
    });
    const thread = new Worker(new URL('event-loop/ping.mjs', import.meta.url), {
      workerData: { url: new URL('/livez', host.address).href, pid: host.pid },
    });
    try {
      return judge(await answerTimes(host, thread, seed, size), size, log);
    } finally {
      await thread.terminate();
      await host.stop();
    }
  } finally {
    await database.stop();
  }
}

/** The longest answer in milliseconds by the name of the body. */
async function answerTimes(host, thread, seed, { random, repeats, maxAnswerMs }) {
  const times = new Map();
  await send(host, { name: 'nothing', path: '/api/cms/items/article/list', type: 'application/json', body: '[]' });
  for (const body of adversarialBodies(seed, random)) {
    let shortest = Infinity;
    for (let repeat = 0; repeat < repeats && shortest > maxAnswerMs; repeat += 1) {
      await longestAnswer(thread);
      await send(host, body);
      shortest = Math.min(shortest, await longestAnswer(thread));
    }
    times.set(body.name, shortest);
  }
  return times;
}

/** Since it was asked before; the answer comes when the one to `/livez` that is on its way has come. */
async function longestAnswer(thread) {
  const answer = once(thread, 'message');
  thread.postMessage('longest', []);
  return (await answer)[0];
}

function judge(times, { maxAnswerMs }, log) {
  const sorted = [...times].toSorted(([, left], [, right]) => right - left);
  for (const [name, time] of sorted.slice(0, 10)) log(`${time.toFixed(0).padStart(5)} ms  ${name}`);
  const [worst, longest] = sorted[0];
  if (longest > maxAnswerMs) {
    throw new Error(`During ${worst}, /livez took ${longest.toFixed(0)} ms; the maximum is ${maxAnswerMs} ms.`);
  }
  return `${sorted.length} bodies; /livez took at most ${longest.toFixed(0)} ms (${worst})`;
}

/** An answer that the body is wrong is fine; a fault is not, nor one that did not look at the body. */
async function send({ address }, { name, path, type, body }) {
  const answer = await fetch(new URL(path, address), { method: 'POST', headers: { 'content-type': type }, body });
  const text = await answer.text();
  if (answer.status < 500 && answer.status !== 404) return;
  throw new Error(`${name} was answered by ${answer.status}: ${text.slice(0, 500)}`);
}
