import type { Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { equalityOf, type ItemRepository, type Scope } from '@gantry/core-content';

/** No rule is counted further: who has more of such items needs no exact number. */
const maxCount = 1_000;

/** Items of a type that need a person. */
export const attentionEntry = z
  .object({
    type: z.string().describe('Code of the item type.'),
    title: z.string(),
    criteria: z
      .array(z.object({ field: z.string(), operator: z.literal('EQUALS'), value: z.string() }))
      .describe('Criteria that the items meet, as the list endpoint of the type takes them.'),
    count: z.int().min(1).max(maxCount),
    isMore: z.boolean().describe('True if there are more than 1,000 items.'),
  })
  .meta({ id: 'AttentionEntry', description: 'Items that need attention.' });

export type AttentionEntry = Immutable<z.infer<typeof attentionEntry>>;

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
