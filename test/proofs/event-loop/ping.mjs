import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The program of a thread that asks a host for `/livez`, again and again on one connection. Every message is answered, when
 * the request that is on its way has its answer, with the longest that an answer had to wait since the message before: for
 * how many milliseconds of its processor time the main thread of the host did other work first.
 */
const { url, pid } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
let isAsked = false;

parentPort.on('message', () => {
  isAsked = true;
});

for (;;) {
  const before = processorMs();
  await ask();
  longestMs = Math.max(longestMs, processorMs() - before);
  // Only now, so that the answer that was on its way counts.
  if (!isAsked) continue;
  isAsked = false;
  parentPort.postMessage(longestMs, []);
  longestMs = 0;
}

/** Unlike the time of a clock, this is the same however busy the machine is. */
function processorMs() {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function ask() {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });
}
