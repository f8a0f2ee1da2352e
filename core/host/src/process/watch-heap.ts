import { Session, type HeapProfiler } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';
import type { CrashAttribution, HostedPlugin } from '@gantry/contracts';
import { attributeStack } from '../plugins/execution/attribute-stack';

/** Shares of the heap limit. */
const sampleFrom = 0.5;
const reportFrom = 0.6;
const stopBelow = 0.4;
/** One allocation in so many bytes is looked at. */
const samplingIntervalBytes = 128 * 1024;
/** A plugin is named when at least this share of the sampled memory is its own. */
const minShare = 0.5;

export interface HeapWatch {
  /** To be called regularly. Costs nothing as long as there is enough memory. */
  check(): void;
}

/**
 * Samples allocations while the heap is nearly full, because the final out-of-memory error does not name the code that filled it.
 * @param report called with the plugin that most of the memory belongs to, and with undefined when there is enough again
 */
export function watchHeap(
  plugins: () => readonly HostedPlugin[],
  report: (attribution: CrashAttribution | undefined) => void,
  usedShare: () => number = shareOfLimit,
): HeapWatch {
  let session: Session | undefined;
  return {
    check: () => {
      const share = usedShare();
      if (session === undefined && share >= sampleFrom) session = startSampling();
      else if (session !== undefined && share < stopBelow) {
        session.disconnect();
        session = undefined;
        report(undefined);
      } else if (session !== undefined && share >= reportFrom) {
        session.post('HeapProfiler.getSamplingProfile', (error, result) => {
          const found = error === null ? findLargestAllocator(result.profile.head, plugins()) : undefined;
          if (found !== undefined) report(found);
        });
      }
    },
  };
}

function shareOfLimit(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

function startSampling(): Session {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.startSampling', { samplingInterval: samplingIntervalBytes });
  return session;
}

type ProfileNode = HeapProfiler.SamplingHeapProfileNode;

/** Memory belongs to the plugin that the call passed through last. */
export function findLargestAllocator(
  head: ProfileNode,
  plugins: readonly HostedPlugin[],
): CrashAttribution | undefined {
  const bytes = new Map<string | undefined, number>();
  const pending: [node: ProfileNode, owner: string | undefined][] = [[head, undefined]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, inherited] = next;
    const owner = ownerOf(node, plugins) ?? inherited;
    bytes.set(owner, (bytes.get(owner) ?? 0) + node.selfSize);
    for (const child of node.children) pending.push([child, owner]);
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  const [plugin, size] = [...bytes].toSorted(([, first], [, second]) => second - first)[0] ?? [undefined, 0];
  if (plugin === undefined || size < total * minShare) return undefined;
  const detail = `${Math.round((100 * size) / total)} % of the recently allocated memory`;
  return { plugin, evidence: 'allocations', detail };
}

function ownerOf(
  { callFrame: { url, lineNumber } }: ProfileNode,
  plugins: readonly HostedPlugin[],
): string | undefined {
  return url === '' ? undefined : attributeStack(`    at (${url}:${lineNumber + 1})`, plugins)?.plugin;
}
