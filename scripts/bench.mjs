/** `npm run bench`: installs and builds what is missing, then runs the benchmarks. */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';

await ensureInstalled({ withTools: true });
await ensureBuilt();
await import('../test/bench/run.mjs');
