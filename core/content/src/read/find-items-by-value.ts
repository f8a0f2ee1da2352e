import { equalityOf } from '../query/criteria';
import type { ItemRepository } from './item-repository';
import { parseListQuery } from '../query/list-query';
import type { Scope } from '../policy/scope';

/** Of each type; who wants more asks for a list of it. */
const limit = 20;

/**
 * The first items of every type whose field of that name has the value: what different plugins keep about one thing.
 * Types without such a searchable field, or whose field cannot hold the value, are left out.
 * @returns a JSON object from type to rows, as text
 */
export async function findItemsByValue(
  scope: Scope,
  repository: Pick<ItemRepository, 'list'>,
  name: string,
  value: string,
): Promise<string> {
  const members: string[] = [];
  // One after the other: with many types, one request must not take all connections.
  for (const { descriptor: type } of scope.policy.types.served()) {
    const criterion = equalityOf(type, name, value);
    if (criterion === undefined) continue;
    const query = parseListQuery(type, { limit, sort: 'id' });
    const { rows } = await repository.list(scope, type, query, [criterion]);
    members.push(`${JSON.stringify(type.code)}:${rows}`);
  }
  return `{${members.join(',')}}`;
}
