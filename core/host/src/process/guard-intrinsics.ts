/**
 * Objects and functions of JavaScript and Node.js that every part of a process works with. A plugin that replaces one changes
 * all other plugins and the host, and so does one that adds members to their prototypes: `for … in` and options objects
 * show those. What is added to constructors and namespaces, such as `Reflect.getMetadata`, is left alone.
 */
export interface IntrinsicsGuard {
  /** Whether nothing was replaced, and no enumerable member was added to a prototype. Takes about a microsecond. */
  isIntact(): boolean;
  /** Puts back what was replaced or removed, and removes what was added. @returns undefined when there was nothing to do */
  restore(additions: CheckedAdditions): IntrinsicsChange | undefined;
}

/**
 * Of the members that were added to prototypes, which are removed. `enumerable`: only those. `keep`: those, and all of
 * `Object.prototype`; the others, which polyfills add, are kept and guarded from then on.
 */
export type CheckedAdditions = 'enumerable' | 'keep' | 'all';

/** Names such as `JSON.parse`. */
export interface IntrinsicsChange {
  readonly replaced: readonly string[];
  readonly added: readonly string[];
  /** Those of them that cannot be put back or removed. */
  readonly permanent: readonly string[];
}

interface Guarded {
  readonly name: string;
  readonly owner: object;
  readonly key: string | symbol;
  readonly descriptor: PropertyDescriptor;
}

interface GuardedPrototype {
  readonly name: string;
  readonly prototype: object;
  readonly known: Set<string | symbol>;
}

const globalNames = [
  ...['Array', 'Boolean', 'Date', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'RegExp', 'Set'],
  ...['String', 'Symbol', 'TypeError', 'WeakMap', 'WeakSet', 'Buffer', 'URL', 'process', 'queueMicrotask'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
] as const;

const constructors = [Array, Date, Map, Number, Object, Promise, RegExp, Set, String, WeakMap, WeakSet] as const;
const prototypeOwners = [...constructors, Boolean, Error, Function, Symbol] as const;

/** Remembers what there is now. */
export function guardIntrinsics(): IntrinsicsGuard {
  const guarded: Guarded[] = [
    ...globalNames.flatMap((name) => guard(globalThis, name, name)),
    ...Object.entries({ JSON, Math, Reflect }).flatMap(([name, namespace]) => membersOf(name, namespace)),
    ...constructors.flatMap((one) => membersOf(one.name, one)),
    ...prototypeOwners.flatMap((one) => membersOf(`${one.name}.prototype`, one.prototype as object)),
    ...guard(process, 'nextTick', 'process.nextTick'),
  ];
  const prototypes = prototypeOwners.map((one): GuardedPrototype => {
    const prototype = one.prototype as object;
    return { name: `${one.name}.prototype`, prototype, known: new Set(Reflect.ownKeys(prototype)) };
  });
  const putBack = createPutBack();
  let isIntact = compileCheck(guarded, prototypes);
  const adopt = ({ name, prototype, known }: GuardedPrototype, key: string | symbol): void => {
    known.add(key);
    guarded.push(...guard(prototype, key, memberName(name, key)));
    isIntact = compileCheck(guarded, prototypes);
  };
  return {
    isIntact: () => isIntact(),
    restore: (additions) => {
      if (additions === 'enumerable' && isIntact()) return undefined;
      const replaced = putBack(guarded);
      const added = prototypes.flatMap((one) => removeAdditions(one, additions, adopt));
      if (replaced.length + added.length === 0) return undefined;
      return {
        replaced: replaced.map(({ name }) => name),
        added: added.map(({ name }) => name),
        permanent: [...replaced, ...added].filter(({ isPermanent }) => isPermanent).map(({ name }) => name),
      };
    },
  };
}

interface Changed {
  readonly name: string;
  readonly isPermanent: boolean;
}

/** The functions that it uses are taken now, because they may be among what is replaced. */
function createPutBack(): (guarded: readonly Guarded[]) => readonly Changed[] {
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  return (guarded) => {
    const replaced: Changed[] = [];
    // A plain loop: methods of arrays may be among what was replaced.
    for (let index = 0; index < guarded.length; index += 1) {
      const one = guarded[index];
      if (one === undefined || isSame(getOwnPropertyDescriptor(one.owner, one.key), one.descriptor)) continue;
      let isPermanent = false;
      try {
        defineProperty(one.owner, one.key, one.descriptor);
      } catch {
        isPermanent = true;
      }
      replaced[replaced.length] = { name: one.name, isPermanent };
    }
    return replaced;
  };
}

/** To be called when nothing is replaced any more. */
function removeAdditions(
  one: GuardedPrototype,
  additions: CheckedAdditions,
  adopt: (one: GuardedPrototype, key: string | symbol) => void,
): readonly Changed[] {
  const { name, prototype, known } = one;
  const removed: Changed[] = [];
  for (const key of Reflect.ownKeys(prototype)) {
    if (known.has(key)) continue;
    const isEnumerable = Object.prototype.propertyIsEnumerable.call(prototype, key);
    const isPolyfill = !isEnumerable && prototype !== Object.prototype;
    if (additions === 'keep' && isPolyfill) adopt(one, key);
    if (isPolyfill ? additions !== 'all' : additions === 'enumerable' && !isEnumerable) continue;
    const isPermanent = !Reflect.deleteProperty(prototype, key);
    // Named once, and not at every check.
    if (isPermanent) adopt(one, key);
    removed.push({ name: memberName(name, key), isPermanent });
  }
  return removed;
}

/**
 * A function compiled for exactly these members. The engine knows the place of each, so that all are compared in a microsecond;
 * a loop over their names takes twelve.
 */
function compileCheck(guarded: readonly Guarded[], prototypes: readonly GuardedPrototype[]): () => boolean {
  const byOwner = new Map<object, Guarded[]>();
  for (const one of guarded) byOwner.set(one.owner, [...(byOwner.get(one.owner) ?? []), one]);
  const checks = [
    ...[...byOwner].map(([owner, members]) => compileComparison(owner, members)),
    ...prototypes.map((one) => compileEnumeration(one)),
  ];
  const names = checks.map((_check, index) => `check${index}`);
  const calls = names.map((name) => `${name}()`).join(' && ');
  return compile<() => boolean>(names, `return () => ${calls};`)(...checks);
}

function compileComparison(owner: object, members: readonly Guarded[]): () => boolean {
  const keys = members.map((_member, index) => `key${index}`);
  const values = members.map((_member, index) => `value${index}`);
  const comparisons = members.map(({ key }, index) => {
    const name = typeof key === 'string' ? JSON.stringify(key) : `key${index}`;
    return `owner[${name}] === value${index}`;
  });
  const create = compile<() => boolean>(['owner', ...keys, ...values], `return () => ${comparisons.join(' && ')};`);
  return create(
    owner,
    ...members.map(({ key }) => key),
    ...members.map(({ descriptor }) => descriptor.value as unknown),
  );
}

/** Nothing of a prototype is enumerable, unless it was when the guard began. */
function compileEnumeration({ prototype, known }: GuardedPrototype): () => boolean {
  const body = 'return () => { for (const key in prototype) if (!known.has(key)) return false; return true; };';
  return compile<() => boolean>(['prototype', 'known'], body)(prototype, known);
}

function compile<T>(parameters: readonly string[], body: string): (...values: readonly unknown[]) => T {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- made of names of built-in members only
  return new Function(...parameters, `"use strict"; ${body}`) as (...values: readonly unknown[]) => T;
}

function membersOf(name: string, owner: object): readonly Guarded[] {
  return Reflect.ownKeys(owner).flatMap((key) => guard(owner, key, memberName(name, key)));
}

function memberName(owner: string, key: string | symbol): string {
  return `${owner}.${String(key)}`;
}

function guard(owner: object, key: string | symbol, name: string): readonly Guarded[] {
  const descriptor = Object.getOwnPropertyDescriptor(owner, key);
  // Setting `Error.stackTraceLimit` or `RegExp.lastMatch` is their purpose; they are recognised by their setter.
  if (descriptor === undefined || !('value' in descriptor)) return [];
  const isConstant = descriptor.writable === false && descriptor.configurable === false;
  return isConstant ? [] : [{ name, owner, key, descriptor }];
}

function isSame(now: PropertyDescriptor | undefined, before: PropertyDescriptor): boolean {
  return now !== undefined && 'value' in now && now.value === before.value;
}
