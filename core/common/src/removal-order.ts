/** A reference between two items that are both to be deleted. */
export interface InnerReference {
  readonly owner: string;
  readonly target: string;
  /** The field of the owner; all its references between these items are emptied together. */
  readonly by: string;
  /** Whether it can be emptied before. */
  readonly isOptional: boolean;
}

export type RemovalStep<R extends InnerReference> =
  | { readonly kind: 'remove'; readonly item: string }
  /** Empties a reference of items that refer to each other. */
  | { readonly kind: 'release'; readonly reference: R };

/**
 * An order in which no item is deleted before those that refer to it.
 * @returns undefined where items refer to each other by required references alone
 */
export function orderRemovals<R extends InnerReference>(
  items: Iterable<string>,
  references: readonly R[],
): readonly RemovalStep<R>[] | undefined {
  const steps: RemovalStep<R>[] = [];
  const left = new Set(items);
  const incoming = byItem(left, references, ({ target }) => target);
  const outgoing = byItem(left, references, ({ owner }) => owner);
  const free = [...left].filter((item) => incoming.get(item)?.size === 0);
  const drop = (reference: R): void => {
    const others = incoming.get(reference.target);
    // A reference that was emptied before is gone already.
    if (others?.delete(reference) === true && others.size === 0) free.push(reference.target);
  };
  while (left.size > 0) {
    const item = free.pop();
    if (item !== undefined) {
      left.delete(item);
      steps.push({ kind: 'remove', item });
      for (const reference of outgoing.get(item) ?? []) drop(reference);
      continue;
    }
    const weakest = cycleIn(left, incoming).find(({ isOptional }) => isOptional);
    if (weakest === undefined) return undefined;
    steps.push({ kind: 'release', reference: weakest });
    for (const reference of outgoing.get(weakest.owner) ?? []) if (reference.by === weakest.by) drop(reference);
  }
  return steps;
}

type ByItem<R> = ReadonlyMap<string, Set<R>>;

function byItem<R extends InnerReference>(
  items: ReadonlySet<string>,
  references: readonly R[],
  itemOf: (reference: R) => string,
): ByItem<R> {
  const found = new Map([...items].map((item) => [item, new Set<R>()]));
  for (const reference of references) found.get(itemOf(reference))?.add(reference);
  return found;
}

/** Each of the items is referred to by one of them: the path from owner to owner comes to one a second time. */
function cycleIn<R extends InnerReference>(left: ReadonlySet<string>, incoming: ByItem<R>): readonly R[] {
  const path: R[] = [];
  const seen = new Map<string, number>();
  let [current] = left;
  while (current !== undefined && !seen.has(current)) {
    seen.set(current, path.length);
    const [reference] = incoming.get(current) ?? [];
    if (reference === undefined) return [];
    path.push(reference);
    current = reference.owner;
  }
  return path.slice(seen.get(current ?? '') ?? 0);
}
