/* oxlint-disable no-extend-native -- it is what these tests are about */
import { execFileSync } from 'node:child_process';
import { guardIntrinsics } from '../../src/process/guard-intrinsics';

describe('guardIntrinsics', () => {
  it.each<[string, () => void, () => unknown]>([
    ['JSON.parse', () => Object.assign(JSON, { parse: () => 'patched' }), () => JSON.parse('1')],
    ['Array.prototype.map', () => replace(Array.prototype, 'map'), () => [1].map(String)],
    ['Promise.prototype.then', () => replace(Promise.prototype, 'then'), () => typeof Promise.resolve().then],
    ['Date.now', () => Reflect.deleteProperty(Date, 'now'), () => typeof Date.now],
    ['process.nextTick', () => replace(process, 'nextTick'), () => typeof process.nextTick],
  ])('puts back %s', (name, patch, use) => {
    const before = use();
    const guard = guardIntrinsics();
    patch();

    expect([guard.isIntact(), guard.restore('all')]).toEqual([false, { replaced: [name], added: [], permanent: [] }]);
    expect([guard.isIntact(), guard.restore('all')]).toEqual([true, undefined]);
    expect(use()).toEqual(before);
  });

  it('puts back what was replaced on the global object', () => {
    const { setTimeout: original } = globalThis;
    const guard = guardIntrinsics();
    replace(globalThis, 'setTimeout');

    expect(guard.restore('enumerable')?.replaced).toEqual(['setTimeout']);
    expect(globalThis.setTimeout).toBe(original);
  });

  it('leaves alone what was added to a constructor or a namespace', () => {
    const guard = guardIntrinsics();
    Object.assign(Array, { sail: true });
    Object.assign(Reflect, { sail: true });
    expect([guard.isIntact(), guard.restore('all')]).toEqual([true, undefined]);
    Reflect.deleteProperty(Array, 'sail');
    Reflect.deleteProperty(Reflect, 'sail');
  });

  it.each<[string, object]>([
    ['Object.prototype.sail', Object.prototype],
    ['Array.prototype.sail', Array.prototype],
    ['Function.prototype.sail', Function.prototype],
  ])('removes %s, which loops over members would meet', (name, prototype) => {
    const guard = guardIntrinsics();
    Object.assign(prototype, { sail: true });

    expect(guard.isIntact()).toBe(false);
    expect(guard.restore('enumerable')).toEqual({ replaced: [], added: [name], permanent: [] });
    expect([guard.isIntact(), 'sail' in prototype]).toEqual([true, false]);
  });

  it('keeps a polyfill, and puts it back when it is replaced', () => {
    const guard = guardIntrinsics();
    Object.defineProperty(Array.prototype, 'sail', { value: () => 1, configurable: true, writable: true });

    expect([guard.restore('enumerable'), guard.restore('keep'), guard.restore('all')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    replace(Array.prototype, 'sail');
    expect(guard.restore('enumerable')?.replaced).toEqual(['Array.prototype.sail']);
    Reflect.deleteProperty(Array.prototype, 'sail');
  });

  it('removes what is not enumerable, too, where options objects inherit it, and everywhere later on', () => {
    const guard = guardIntrinsics();
    Object.defineProperty(Object.prototype, 'timeout', { value: 1, configurable: true });
    expect(guard.restore('keep')?.added).toEqual(['Object.prototype.timeout']);
    Object.defineProperty(Array.prototype, 'sail', { value: 1, configurable: true });
    expect(guard.restore('all')?.added).toEqual(['Array.prototype.sail']);
    expect(['timeout' in {}, 'sail' in []]).toEqual([false, false]);
  });

  it('names what cannot be put back', () => {
    const script = `
      const { guardIntrinsics } = require('@gantry/host/dist/process/guard-intrinsics.js');
      const guard = guardIntrinsics();
      Object.defineProperty(JSON, 'parse', { value: () => 'patched', configurable: false, writable: false });
      process.stdout.write([guard.restore('all').permanent, guard.restore('all').replaced].join());`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: __dirname })).toBe(
      'JSON.parse,JSON.parse',
    );
  });
});

function replace(owner: object, key: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { ...descriptor, value: () => 'patched' });
}
