/**
 * Objects and functions of JavaScript and Node.js that every part of a process works with. A plugin that replaces one changes
 * all other plugins and the host. What is only added, such as `Reflect.getMetadata`, is left alone.
 */
export interface IntrinsicsGuard {
  /** Puts back what was replaced or removed. @returns the names, for example `JSON.parse` */
  restore(): readonly string[];
}

interface Guarded {
  readonly name: string;
  readonly owner: object;
  readonly key: string | symbol;
  readonly descriptor: PropertyDescriptor;
}

const globalNames = [
  ...['Array', 'Boolean', 'Date', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'RegExp', 'Set'],
  ...['String', 'Symbol', 'TypeError', 'WeakMap', 'WeakSet', 'Buffer', 'URL', 'process', 'queueMicrotask'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
] as const;

const constructors = [Array, Date, Map, Number, Object, Promise, RegExp, Set, String, WeakMap, WeakSet] as const;

/** Remembers what there is now. */
export function guardIntrinsics(): IntrinsicsGuard {
  const guarded: readonly Guarded[] = [
    ...globalNames.flatMap((name) => guard(globalThis, name, name)),
    ...membersOf('JSON', JSON),
    ...membersOf('Math', Math),
    ...constructors.flatMap((one) => [
      ...membersOf(one.name, one),
      ...membersOf(`${one.name}.prototype`, one.prototype as object),
    ]),
    ...guard(process, 'nextTick', 'process.nextTick'),
  ];
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  return {
    restore: () => {
      const replaced: string[] = [];
      // A plain loop: methods of arrays may be among what was replaced.
      for (let index = 0; index < guarded.length; index += 1) {
        const one = guarded[index];
        if (one === undefined || isSame(getOwnPropertyDescriptor(one.owner, one.key), one.descriptor)) continue;
        try {
          defineProperty(one.owner, one.key, one.descriptor);
        } catch {
          // Made read-only by whoever replaced it: nothing can be done about it but to say so.
        }
        replaced[replaced.length] = one.name;
      }
      return replaced;
    },
  };
}

function membersOf(name: string, owner: object): readonly Guarded[] {
  return Reflect.ownKeys(owner).flatMap((key) => guard(owner, key, `${name}.${String(key)}`));
}

function guard(owner: object, key: string | symbol, name: string): readonly Guarded[] {
  const descriptor = Object.getOwnPropertyDescriptor(owner, key);
  // Setting `Error.stackTraceLimit` or `RegExp.lastMatch` is what they are for; a setter tells.
  return descriptor === undefined || !('value' in descriptor) ? [] : [{ name, owner, key, descriptor }];
}

function isSame(now: PropertyDescriptor | undefined, before: PropertyDescriptor): boolean {
  // NaN is a member of Number.
  return now !== undefined && 'value' in now && Object.is(now.value, before.value);
}
