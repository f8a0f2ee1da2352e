/** The thread in which patterns are judged: a verdict can take seconds. It answers each pattern with its verdict. */
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { checkSync as check } from 'recheck';
import type { PatternVerdict } from './pattern-judge';

// The build for browsers needs no Java and starts no process.
const { checkSync } = createRequire(__filename)('recheck/lib/browser.js') as { readonly checkSync: typeof check };

/** For one attempt at a pattern. */
const timeoutMs = 2_000;

/**
 * A pattern that is not decided by then is not safe for long texts. On a busy machine, and while the library is compiled, the time
 * can be over for a pattern that needs a tenth of it.
 */
const maxAttempts = 2;

parentPort?.on('message', (source: string) => parentPort?.postMessage(judge(source), []));

function judge(source: string, attempt = 1): PatternVerdict {
  const result = checkSync(source, 'u', { timeout: timeoutMs });
  if (result.status === 'safe') return 'safe';
  if (result.status === 'unknown') return attempt < maxAttempts ? judge(source, attempt + 1) : 'undecided';
  const { complexity } = result;
  return complexity.type === 'polynomial' ? complexity.degree : 'exponential';
}
