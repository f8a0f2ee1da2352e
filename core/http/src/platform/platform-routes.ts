import { z } from 'zod';
import { instant } from '@gantry/core-common';
import type { Scope } from '@gantry/core-content';
import type { Principal } from '../ports/authenticator';
import { attentionEntry, type AttentionEntry } from './attention';
import { routesWith, type HostRoute } from '../exchange/host-routes';

export interface PlatformServices {
  readonly scopeOf: (principal: Principal, requestId: string) => Scope;
  /** Whether anyone has created an item yet. */
  readonly hasItems: (scope: Scope) => Promise<boolean>;
  /** Items of all types by the value of a field, as JSON text. */
  readonly findItemsByValue: (scope: Scope, field: string, value: string) => Promise<string>;
  /** Items that need a person, by the declarations of their types. */
  readonly attention: (scope: Scope) => Promise<readonly AttentionEntry[]>;
  /** The items that changed last, as JSON text. */
  readonly recentItems: (scope: Scope) => Promise<string>;
}

const route = routesWith<PlatformServices>();

function given(name: string) {
  return z
    .unknown()
    .transform((text, context) => {
      if (typeof text === 'string' && text.trim() !== '') return text;
      context.addIssue({ code: 'custom', message: `${name} must be given`, params: { code: 'REQUIRED' } });
      return z.NEVER;
    })
    .meta({ type: 'string', minLength: 1, pattern: String.raw`\S` });
}

const recentItem = z
  .object({
    type: z.string().describe('Code of the item type.'),
    id: z.number().meta({ $ref: '#/$defs/ItemId' }),
    label: z.string(),
    updatedAt: instant,
    isNew: z.boolean().describe('True if the item has not changed since it was created.'),
  })
  .meta({ id: 'RecentItem', description: 'An item that was created or changed.' });

/** Routes of the pages about the content as a whole. */
export const platformRoutes: readonly HostRoute<PlatformServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/content',
    operationId: 'platformContent',
    summary: 'Check whether the platform has items of any writable type',
    description: 'Types whose items the caller may not create are left out.',
    access: 'signed-in',
    answer: z.object({ hasItems: z.boolean().describe('True if at least one item exists.') }),
    handler: async ({ author, requestId }, { scopeOf, hasItems }) => ({
      data: { hasItems: await hasItems(scopeOf(author.principal, requestId)) },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/platform/items',
    operationId: 'platformItems',
    summary: 'Find items of all types by the value of a field, up to 20 of each type',
    description:
      'Finds items of different plugins that share a value, such as an order id. The value is compared with the operator `EQUALS`. ' +
      'Items and fields that the caller may not read are left out.',
    access: 'signed-in',
    query: z.object({ field: given('field'), value: given('value') }),
    answer: z
      .record(z.string(), z.array(z.looseObject({})))
      .describe('Item lists by type. Types without such a searchable field are omitted.'),
    handler: async ({ query: { field, value }, author, requestId }, { scopeOf, findItemsByValue }) => ({
      json: await findItemsByValue(scopeOf(author.principal, requestId), field, value),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/platform/attention',
    operationId: 'platformAttention',
    summary: 'Count the items that need attention, by the rules that their types declare',
    description: 'Counting ends at 1,000. Rules with fields that the caller may not read are left out.',
    access: 'signed-in',
    answer: z.array(attentionEntry).describe('One entry for each rule with at least one item.'),
    handler: async ({ author, requestId }, { scopeOf, attention }) => ({
      data: await attention(scopeOf(author.principal, requestId)),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/platform/recent',
    operationId: 'platformRecent',
    summary: 'List the 10 items of all writable types that were created or changed last',
    description: 'Items that the caller may not read are left out.',
    access: 'signed-in',
    answer: z.array(recentItem).max(10).describe('The latest first.'),
    handler: async ({ author, requestId }, { scopeOf, recentItems }) => ({
      json: await recentItems(scopeOf(author.principal, requestId)),
    }),
  }),
];
