import { references } from './reference-plugin.mjs';

/** Expected answers and rows of types with references, worked out in memory. Items are named by `type/id`. */
export function createReferenceModel() {
  const items = new Map();
  return {
    items,
    create: (item, values) => void items.set(item, { version: 1, values }),
    /** @returns whether that is a change */
    update(item, values) {
      const stored = items.get(item);
      const isChange = Object.entries(values).some(([name, value]) => !isSame(stored.values[name], value));
      Object.assign(stored.values, values);
      if (isChange) stored.version += 1;
    },
    /** Effects of a deletion, before it is made. */
    planOf: (item) => planRemoval(items, item),
    remove({ removed, changed }) {
      for (const item of removed) items.delete(item);
      for (const item of changed) {
        const stored = items.get(item);
        stored.version += 1;
        for (const [name, { isList }] of referencesOf(item)) {
          const targets = targetsOf(item, stored, name);
          if (!targets.some((target) => removed.has(target))) continue;
          stored.values[name] = isList ? stored.values[name].filter((_id, at) => !removed.has(targets[at])) : null;
        }
      }
    },
  };
}

function planRemoval(items, root) {
  const removed = new Set([root]);
  const owners = (rules, among) =>
    [...items].filter(([item, stored]) =>
      referencesOf(item).some(
        ([name, { rule }]) => rules.includes(rule) && targetsOf(item, stored, name).some((target) => among.has(target)),
      ),
    );
  for (let before = 0; before < removed.size;) {
    before = removed.size;
    for (const [owner] of owners(['cascade'], removed)) removed.add(owner);
  }
  const outside = (rules) => owners(rules, removed).flatMap(([owner]) => (removed.has(owner) ? [] : owner));
  return { removed, isBlocked: outside(['restrict']).length > 0, changed: outside(['setNull', 'removeLink']) };
}

/** As a refusal gives it, in any order. */
export function confirmationOf(root, { removed, changed }) {
  const counts = new Map();
  const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const item of removed) if (item !== root) count(`${typeOf(item)}.delete`);
  for (const item of changed) count(`${typeOf(item)}.update`);
  return [...counts].map(([key, number]) => `${key}=${number}`).toSorted();
}

export const typeOf = (item) => item.split('/')[0];

export const referencesOf = (item) => Object.entries(references[typeOf(item)]);

/** The items to which a field refers, in their order. */
export function targetsOf(item, { values }, name) {
  const { target } = references[typeOf(item)][name];
  return [values[name] ?? []].flat().map((id) => `${target}/${id}`);
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
