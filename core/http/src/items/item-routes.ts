import { z } from 'zod';
import { type ItemRepository, type ItemWriter, assertPrecondition, itemNotFound } from '@gantry/core-content';
import type { HostRoute } from '../exchange/host-routes';
import { itemRoutesWith, parseItemId, type ItemAnswer, type ItemCall, type TypeServices } from './item-route';
import {
  itemPath,
  itemReferences,
  itemRow,
  payloadBody,
  referencesMeta,
  referencesQuery,
  removalQuery,
} from './item-schemas';
import { readReferences } from './references';

export interface ItemServices extends TypeServices {
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
}

const route = itemRoutesWith<ItemServices>();
const path = '/api/cms/items/:type/:id';
const changed = payloadBody('{Type}Update');

const change = {
  path,
  description: 'Properties that are not sent stay as they are.',
  access: 'signed-in',
  action: 'update',
  precondition: 'write',
  keepsNumbers: true,
  refusal: 'BAD_REQUEST',
  params: itemPath,
  body: changed,
  answer: itemRow.describe('The changed row.'),
  envelope: '{Type}RowEnvelope',
  headers: ['ETag'],
  handler: update,
} as const;

/** Routes of one item (specification, section 4). A new type adds no route. */
export const itemRoutes: readonly HostRoute<ItemServices>[] = [
  route({
    method: 'GET',
    path,
    operationId: 'get',
    summary: 'show an item',
    access: 'items',
    precondition: 'read',
    params: itemPath,
    answer: itemRow.describe('The row.'),
    envelope: '{Type}RowEnvelope',
    headers: ['ETag'],
    async handler({ params, scope, type: { descriptor }, precondition }, { repository }) {
      const id = parseItemId(descriptor, params.id);
      const expected = precondition();
      const row = await repository.get(scope, descriptor, id);
      if (row === undefined) throw itemNotFound(descriptor, id);
      assertPrecondition(descriptor, { id, version: row.version }, expected);
      return row;
    },
  }),
  route({ ...change, method: 'PATCH', operationId: 'update', summary: 'change an item' }),
  route({ ...change, method: 'PUT', operationId: 'put', summary: 'change an item, the same as PATCH' }),
  route({
    method: 'DELETE',
    path,
    operationId: 'delete',
    summary: 'delete an item',
    description: 'Rejected with 409 while other items refer to it; see `confirm`.',
    access: 'signed-in',
    action: 'delete',
    precondition: 'write',
    params: itemPath,
    query: removalQuery,
    async handler({ params, query: { confirm: confirmed }, scope, type, precondition }, { writer }) {
      const id = parseItemId(type.descriptor, params.id);
      await writer.remove(scope, type, id, { ...precondition(), confirmed });
      return {};
    },
  }),
  route({
    method: 'GET',
    path: `${path}/references`,
    operationId: 'referencesTo',
    summary: 'list items that refer to an item, by field',
    description: 'Items that the caller may not read are left out.',
    access: 'signed-in',
    params: itemPath,
    query: referencesQuery,
    answer: z.array(itemReferences).meta({
      responseName: 'ItemReferences',
      description:
        'One entry for each field that refers to the item. An item that others refer to cannot be deleted, unless `onDelete` names the effect on them.',
    }),
    meta: referencesMeta,
    handler: readReferences,
  }),
];

async function update(
  { params, body, scope, type, precondition }: ItemCall<typeof itemPath, undefined, typeof changed>,
  { writer }: ItemServices,
): Promise<ItemAnswer> {
  const id = parseItemId(type.descriptor, params.id);
  const { json, version } = await writer.update(scope, type, id, body, precondition());
  return { json, version };
}
