import type { DetailCode, ItemReferences } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { invalidParameter } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import type { ItemTypeDescriptor } from '../../content/compile/descriptor';
import type { ItemTypes, Referrer } from '../../content/compile/item-types';
import { readId } from '../../content/kinds/reference';
import { parseCount } from '../../content/query/parameters';
import type { ItemRepository } from '../../content/read/item-repository';
import type { FoundReferrers, ReferrersOptions } from '../../content/sql/find-referrers';
import { itemNotFound } from '../../content/write/write-problems';
import { parseQuery } from '../exchange/query';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { sendData } from '../exchange/send';
import { parseItemId } from './item-id';

interface ReferenceDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly repository: ItemRepository;
}

/** More are as many as anybody needs to know. */
const maxCounted = 1_000;

const maxPageSize = 1_000;
const defaultPageSize = 50;

/** What refers to an item: every field with the first items, or the items of one field a page at a time. */
export async function sendReferences(
  { scopeOf, findType, repository }: ReferenceDependencies,
  request: Request<{ type: string; id: string }>,
  response: Response,
): Promise<void> {
  const scope = scopeOf(request);
  const { descriptor } = findType(scope, request.params.type);
  const { policy } = scope;
  const page = readPage(descriptor, policy.types, parseQuery(request, ['field', 'limit', 'after']));
  const id = parseItemId(descriptor, request.params.id);
  if ((await repository.get(scope, descriptor, id)) === undefined) throw itemNotFound(descriptor, id);
  const found = await repository.referrers(scope, descriptor, id, { maxCount: maxCounted + 1, ...page });
  const limit = page.named === undefined ? Infinity : page.named.limit - 1;
  const hasMore = found.some(({ items }) => items.length > limit);
  const shown = found.map((one) => present(one, limit));
  const nextCursor = hasMore ? shown[0]?.items.at(-1)?.id : undefined;
  sendData(response, 200, JSON.stringify(shown), nextCursor === undefined ? undefined : { nextCursor });
}

/** Reads one item more than is shown, to know whether there are more. @throws GantryError BAD_REQUEST */
function readPage(
  type: ItemTypeDescriptor,
  types: ItemTypes,
  { field, limit, after }: Readonly<Record<string, string | undefined>>,
): Pick<ReferrersOptions, 'isMeant' | 'named'> {
  if (field === undefined) {
    if (limit === undefined && after === undefined) return {};
    throw invalidParameter(
      'field',
      'limit and after need field, which says whose items are listed',
      'REQUIRED' satisfies DetailCode,
    );
  }
  const known = types.referrers(type.code);
  const isMeant = (referrer: Referrer): boolean => nameOf(referrer) === field;
  if (!known.some(isMeant)) {
    const names = known.map(nameOf).join(', ') || 'none';
    throw invalidParameter(
      'field',
      `field must name a type and its field that refers to ${type.displayName}; got ${truncate(field)}, known are ${names}`,
      'NOT_AN_OPTION' satisfies DetailCode,
    );
  }
  if (after !== undefined && !readId(after).ok) {
    throw invalidParameter('after', 'after must be the nextCursor of the page before');
  }
  const size = limit === undefined ? defaultPageSize : parseCount('limit', limit, maxPageSize);
  return { isMeant, named: { after, limit: size + 1 } };
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
