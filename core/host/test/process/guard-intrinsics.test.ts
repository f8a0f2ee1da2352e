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

    expect([guard.restore(), guard.restore()]).toEqual([[name], []]);
    expect(use()).toEqual(before);
  });

  it('puts back what was replaced on the global object', () => {
    const { setTimeout: original } = globalThis;
    const guard = guardIntrinsics();
    replace(globalThis, 'setTimeout');

    expect(guard.restore()).toEqual(['setTimeout']);
    expect(globalThis.setTimeout).toBe(original);
  });

  it('leaves alone what was added', () => {
    const guard = guardIntrinsics();
    Object.assign(Array, { sail: true });
    expect(guard.restore()).toEqual([]);
    Reflect.deleteProperty(Array, 'sail');
  });
});

function replace(owner: object, key: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { ...descriptor, value: () => 'patched' });
}
