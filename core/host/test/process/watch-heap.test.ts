import type { HeapProfiler } from 'node:inspector';
import { findLargestAllocator } from '../../src/process/watch-heap';

type Node = HeapProfiler.SamplingHeapProfileNode;

const plugins = [
  { id: 'boats', folder: '/srv/plugins/boats', isRequired: false },
  { id: 'oars', folder: '/srv/plugins/oars', isRequired: false },
];

function node(url: string, selfSize: number, ...children: readonly Node[]): Node {
  const callFrame = { functionName: 'f', scriptId: '1', url, lineNumber: 0, columnNumber: 0 };
  return { callFrame, selfSize, children: [...children] };
}

describe('findLargestAllocator', () => {
  it('names the plugin through whose calls most memory was allocated, also in the code of others', () => {
    const library = node('node:internal/url', 600);
    const head = node(
      '',
      0,
      node('file:///srv/plugins/boats/x.mjs', 100, library),
      node('/srv/plugins/oars/x.js', 300),
    );
    expect(findLargestAllocator(head, plugins)).toEqual({
      plugin: 'boats',
      evidence: 'allocations',
      detail: '70 % of the recently allocated memory',
    });
  });

  it('names nobody when no plugin has half of it', () => {
    const shared = node('', 200, node('/srv/plugins/boats/x.js', 400), node('/srv/plugins/oars/x.js', 300));
    expect(findLargestAllocator(shared, plugins)).toBeUndefined();
    expect(
      findLargestAllocator(node('/srv/host/main.js', 900, node('/srv/plugins/oars/x.js', 100)), plugins),
    ).toBeUndefined();
  });
});
