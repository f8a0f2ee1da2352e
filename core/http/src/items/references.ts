import type { DetailCode, ItemReferences } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { invalidParameter } from '@gantry/plugin-api';
import type { z } from 'zod';
import {
  type ItemTypeDescriptor,
  type ItemTypes,
  type Referrer,
  defaultLimit,
  type ItemRepository,
  type FoundReferrers,
  type ReferrersOptions,
  itemNotFound,
} from '@gantry/core-content';
import { parseItemId, type ItemAnswer, type ItemCall } from './item-route';
import { maxCounted, type itemPath, type referencesQuery } from './item-schemas';

/** References to an item: every field with the first items, or the items of one field a page at a time. */
export async function readReferences(
  { params, query, scope, type: { descriptor } }: ItemCall<typeof itemPath, typeof referencesQuery>,
  { repository }: { readonly repository: ItemRepository },
): Promise<ItemAnswer> {
  const page = pageOf(descriptor, scope.policy.types, query);
  const id = parseItemId(descriptor, params.id);
  if ((await repository.get(scope, descriptor, id)) === undefined) throw itemNotFound(descriptor, id);
  const found = await repository.referrers(scope, descriptor, id, { maxCount: maxCounted + 1, ...page });
  const limit = page.named === undefined ? Infinity : page.named.limit - 1;
  const hasMore = found.some(({ items }) => items.length > limit);
  const shown = found.map((one) => present(one, limit));
  const nextCursor = hasMore ? shown[0]?.items.at(-1)?.id : undefined;
  return { json: JSON.stringify(shown), ...(nextCursor === undefined ? {} : { meta: { nextCursor } }) };
}

/** Reads one item more than is shown, to know whether there are more. @throws GantryError BAD_REQUEST for a field that does not refer to the type */
function pageOf(
  type: ItemTypeDescriptor,
  types: ItemTypes,
  { field, limit = defaultLimit, after }: z.output<typeof referencesQuery>,
): Pick<ReferrersOptions, 'isMeant' | 'named'> {
  if (field === undefined) return {};
  const known = types.referrers(type.code);
  const isMeant = (referrer: Referrer): boolean => nameOf(referrer) === field;
  if (known.some(isMeant)) return { isMeant, named: { after, limit: limit + 1 } };
  const names = known.map(nameOf).join(', ') || 'none';
  throw invalidParameter(
    'field',
    `field must name a type and its field that refers to ${type.displayName}; got ${truncate(field)}, known are ${names}`,
    'NOT_AN_OPTION' satisfies DetailCode,
  );
}

function nameOf({ type, field }: Referrer): string {
  return `${type.code}.${field.name}`;
}

function present(one: FoundReferrers, limit: number): ItemReferences {
  return {
    type: one.typeCode,
    displayName: one.typeName,
    field: one.fieldName,
    fieldDisplayName: one.fieldDisplayName,
    ...(one.onDelete === undefined ? {} : { onDelete: one.onDelete }),
    count: Math.min(one.count, maxCounted),
    isCapped: one.count > maxCounted,
    items: one.items.slice(0, limit),
  };
}
