import { equalityOf } from '../query/criteria';
import type { ItemRepository } from './item-repository';
import type { Scope } from '../policy/scope';

/** No rule is counted further: who has more of such items needs no exact number. */
const maxCount = 1_000;

/** Items of a type that need a person. */
export interface AttentionEntry {
  readonly type: string;
  readonly title: string;
  readonly criteria: readonly { readonly field: string; readonly operator: 'EQUALS'; readonly value: string }[];
  /** At most 1,000. */
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
}

/** The attention entries of the types in use, as far as they have items and the scope sees their fields. */
export async function attentionEntries(
  scope: Scope,
  repository: Pick<ItemRepository, 'count'>,
): Promise<readonly AttentionEntry[]> {
  const entries: AttentionEntry[] = [];
  // One after the other: with many types, one request must not take all connections.
  for (const { descriptor: type } of scope.policy.types.served()) {
    for (const { title, where } of type.attention) {
      const wanted = Object.entries(where);
      const criteria = wanted.flatMap(([name, value]) => equalityOf(type, name, value) ?? []);
      if (criteria.length < wanted.length) continue;
      const count = await repository.count(scope, type, criteria, maxCount + 1);
      if (count === 0) continue;
      entries.push({
        type: type.code,
        title,
        criteria: wanted.map(([field, value]) => ({ field, operator: 'EQUALS', value })),
        count: Math.min(count, maxCount),
        isMore: count > maxCount,
      });
    }
  }
  return entries;
}
