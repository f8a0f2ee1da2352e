import type { Contributions } from '@gantry/contracts';
import { findCollisions } from '../../src/manifest/collisions';
import type { Manifest } from '../../src/manifest/manifest';

function manifest(id: string, contributes: Partial<Contributions>): Manifest {
  return {
    id,
    displayName: id,
    packageName: id,
    version: '1.0.0',
    main: './index.js',
    pluginApiRange: '*',
    dependsOn: {},
    optionalDependsOn: {},
    contributes: { itemTypes: [], taskQueues: [], routes: [], ...contributes },
    required: false,
  };
}

function collisions(...manifests: readonly Manifest[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...findCollisions(manifests)].map(([id, own]) => [id, own.map(({ code, reason }) => `${code}: ${reason}`)]),
  );
}

describe('findCollisions', () => {
  it('finds none between plugins with different names', () => {
    const first = manifest('a', {
      itemTypes: ['article'],
      taskQueues: ['A'],
      routes: ['GET /a', 'POST /a', 'GET /files/*'],
    });
    const second = manifest('b', {
      itemTypes: ['book'],
      taskQueues: ['B'],
      routes: ['GET /b', 'PUT /a', 'GET /a/b', 'POST /files/x'],
    });
    expect(collisions(first, second)).toEqual({});
  });

  it('lets the first keep an item type, and names both owners', () => {
    expect(collisions(manifest('a', { itemTypes: ['article'] }), manifest('b', { itemTypes: ['article'] }))).toEqual({
      b: [expect.stringMatching(/^TYPE_CODE_TAKEN: .* a and b .*"article"; a /)],
    });
  });

  it('finds one task queue of two services', () => {
    expect(collisions(manifest('a', { taskQueues: ['Q'] }), manifest('b', { taskQueues: ['Q'] }))).toEqual({
      b: [expect.stringMatching(/^TASK_QUEUE_TAKEN: .* a and b .*"Q"; a /)],
    });
  });

  it.each([
    ['GET /orders', 'GET /orders'],
    ['GET /orders/:id', 'GET /orders/:orderId'],
    ['GET /orders/:id', 'GET /orders/latest'],
    ['GET /Orders', 'GET /orders'],
    ['GET /admin/*', 'GET /admin'],
    ['GET /admin/*', 'GET /admin/a/b'],
    ['GET /admin/*', 'GET /admin/pages/*'],
    ['GET /:any', 'GET /admin/*'],
  ])('finds that %s and %s answer the same requests', (first, second) => {
    expect(collisions(manifest('a', { routes: [first] }), manifest('b', { routes: [second] }))).toEqual({
      b: [expect.stringMatching(/^ROUTE_TAKEN: Both a and b contribute the route .*; a keeps it$/)],
    });
  });

  it('reports everything that is taken at once', () => {
    const parts = { itemTypes: ['article', 'event'], taskQueues: ['Q'], routes: ['GET /a'] };
    expect(collisions(manifest('a', parts), manifest('b', parts)).b).toHaveLength(4);
  });

  it('does not keep names for a plugin that was refused', () => {
    const refused = manifest('b', { itemTypes: ['article', 'book'] });
    expect(
      Object.keys(
        collisions(manifest('a', { itemTypes: ['article'] }), refused, manifest('c', { itemTypes: ['book'] })),
      ),
    ).toEqual(['b']);
  });
});
