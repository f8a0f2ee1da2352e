import { request } from 'node:http';
import { inTurn, median } from '../lib/load.mjs';

/** One uncapped search of `rows` rows: time, first byte, and what it costs in memory; then beside a reader that has stopped. */
export async function compareStreaming(host, handWritten, { rounds, rows }) {
  const run = ({ address }) => read(`${address}/api/cms/items/product/search?limit=${rows}`);
  await run(host);
  await run(handWritten);
  const before = host.memory();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, host.memory())), 20);
  const pairs = await inTurn(
    rounds,
    () => run(host),
    () => run(handWritten),
  );
  clearInterval(sampler);
  const stalled = await Promise.all(
    [1, 2, 3, 4].map(() => stall(`${host.address}/api/cms/items/product/search?limit=${rows}`)),
  );
  const beside = [];
  for (let round = 0; round < rounds; round += 1) beside.push(await run(host));
  for (const reader of stalled) reader.destroy();
  return {
    rows,
    hostMs: median(pairs.map(([own]) => own.ms)),
    handWrittenMs: median(pairs.map(([, other]) => other.ms)),
    ratio: median(pairs.map(([own, other]) => own.ms / other.ms)),
    firstByteMs: median(pairs.map(([own]) => own.firstByteMs)),
    memoryGrowthMb: peak - before,
    besideStalledReadersRatio: median(beside.map(({ ms }) => ms)) / median(pairs.map(([own]) => own.ms)),
  };
}

function read(url) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(url, { method: 'POST' }, (response) => {
      let firstByteMs;
      let bytes = 0;
      response.on('data', (chunk) => {
        firstByteMs ??= performance.now() - startedAt;
        bytes += chunk.length;
      });
      response.once('end', () => resolve({ ms: performance.now() - startedAt, firstByteMs, bytes }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** Opens a search and never reads its answer. */
function stall(url) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false }, (response) => {
      response.pause();
      response.on('error', () => undefined);
      resolve(response);
    });
    sent.once('error', reject);
    sent.end();
  });
}
