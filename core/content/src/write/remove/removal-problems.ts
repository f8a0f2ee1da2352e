import type { DeletionEffect, DeletionPlan, ErrorDetail } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { Transaction } from 'sequelize';
import type { CompiledItemType, ItemTypeDescriptor } from '../../compile/descriptor';
import { transactionStatements, type RunQuery } from '@gantry/core-database';
import { labelText } from '../../sql/row-json';
import { rowsOf } from '../../sql/rows';
import type { WriteDependencies } from '../write-dependencies';
import { confirmationText } from './confirmation';
import { keyOf, maxConcerned, maxInner, type FoundReference, type PlannedItem, type RemovalPlan } from './removal-plan';
import type { ConcernedItem, Verdict } from './removal-rights';

/** The deletion concerns other items, which is to be confirmed; `deletion` says what and how. */
export class ConfirmationRequired extends GantryError {
  constructor(
    message: string,
    readonly deletion: DeletionPlan,
  ) {
    super('CONFIRMATION_REQUIRED', message, {
      details: deletion.effects.map(({ type, action, count, items }) => ({
        path: type,
        code: action === 'delete' ? 'ALSO_DELETED' : 'ALSO_CHANGED',
        message: `${count} ${count === 1 ? 'item is' : 'items are'} ${action === 'delete' ? 'deleted with it' : 'changed: without the reference to it'}`,
        items,
      })),
    });
  }
}

const maxNamed = 3;

interface NamedItem {
  readonly id: string;
  readonly label: string;
}

/** Effects of the deletion on other items, by type and action, as the scope sees them. */
export async function effectsOf(
  dependencies: WriteDependencies,
  concerned: readonly ConcernedItem[],
  transaction: Transaction,
): Promise<readonly DeletionEffect[]> {
  const effects: DeletionEffect[] = [];
  for (const group of groupsOf(concerned, ({ item, action }) => `${action} ${item.type.descriptor.code}`)) {
    const [first] = group;
    const type = dependencies.scope.policy.types.find(first.item.type.descriptor.code)?.descriptor;
    if (type === undefined) continue;
    const ids = group.map(({ item }) => item.id);
    const items = await named(type, '', ids, transactionStatements(transaction).query);
    const { code, displayName, displayNamePlural } = type;
    effects.push({ type: code, displayName, displayNamePlural, action: first.action, count: ids.length, items });
  }
  return effects;
}

export function confirmationRequired(
  root: PlannedItem,
  effects: readonly DeletionEffect[],
  wasConfirmed: boolean,
): GantryError {
  const { displayName } = root.type.descriptor;
  const parts = effects.map(
    ({ action, count, displayName: one, displayNamePlural: several }) =>
      `${action === 'delete' ? 'deletes' : 'changes'} ${count} ${count === 1 ? one : several}`,
  );
  const confirm = confirmationText(effects);
  const more = wasConfirmed ? ' More items are affected than were confirmed.' : '';
  return new ConfirmationRequired(
    `Deleting ${displayName} ${root.id} also ${parts.join(' and ')}.${more} To confirm, send the same request with confirm=${confirm}.`,
    { confirm, effects },
  );
}

export function tooLarge({ type: { descriptor }, id }: PlannedItem, excess: 'items' | 'references'): GantryError {
  const what =
    excess === 'items'
      ? `more than ${maxConcerned} other items would be deleted or changed with ${id}`
      : `the items that would be deleted with ${id} refer to each other more than ${maxInner} times`;
  return new GantryError(
    'CONFLICT',
    `Failed to delete ${descriptor.displayName}: ${what}. Delete or change some of them first.`,
  );
}

export function requiredCycle({ type: { descriptor }, id }: PlannedItem): GantryError {
  return new GantryError(
    'CONFLICT',
    `Failed to delete ${descriptor.displayName}: among the items that would be deleted with ${id} are some that refer to each other by required references. Change one of these references first.`,
  );
}

/** Why an item, or one that would be deleted with it, cannot be deleted: what the scope does not see is not named or counted. */
export async function refusal(
  dependencies: WriteDependencies,
  root: PlannedItem,
  { blocking, denied }: { readonly blocking: RemovalPlan['blocking']; readonly denied: readonly Denied[] },
  transaction: Transaction,
): Promise<GantryError> {
  const { query } = transactionStatements(transaction);
  const referring = await referringGroups(dependencies, blocking, query);
  const refused = await deniedGroups(dependencies, denied, query);
  const shown = [...referring, ...refused];
  const rootKey = keyOf(root.type, root.id);
  const isDirect = blocking.every(({ target }) => target === rootKey);
  const subject = isDirect ? root.id : `${root.id}, or what would be deleted with it,`;
  const who = referring.map(({ text }) => text);
  const hidesBlocking = blocking.length > 0 && who.length === 0;
  const parts = [
    ...(blocking.length === 0
      ? []
      : [`${subject} is referred to by ${hidesBlocking ? 'items that are not shown here' : who.join(', ')}`]),
    ...refused.map(({ text }) => text),
    ...(denied.some(({ verdict }) => verdict === 'hidden')
      ? ['items that are not shown here would be deleted or changed']
      : []),
  ];
  return new GantryError(
    'ITEM_REFERENCED',
    `Failed to delete ${root.type.descriptor.displayName}: ${parts.join('; ')}. Change or delete these items first.`,
    { details: shown.map(({ detail }) => detail) },
  );
}

/** An effect of a deletion that the scope has no right to. */
export interface Denied {
  readonly concerned: ConcernedItem;
  readonly verdict: Exclude<Verdict, 'allowed'>;
}

interface RefusedGroup {
  readonly text: string;
  readonly detail: ErrorDetail;
}

async function referringGroups(
  { scope }: WriteDependencies,
  blocking: readonly FoundReference[],
  query: RunQuery,
): Promise<readonly RefusedGroup[]> {
  const groups: RefusedGroup[] = [];
  for (const group of groupsOf(blocking, ({ item, field }) => `${item.type.descriptor.code}.${field.name}`)) {
    const [first] = group;
    const type = scope.policy.types.find(codeOf(first.item.type))?.descriptor;
    const field = type?.fields.find(({ name }) => name === first.field.name);
    if (type === undefined || field === undefined || field.reference?.target === '') continue;
    const ids = [...new Set(group.map(({ item }) => item.id))];
    const items = await named(type, field.shownOn === undefined ? '' : ` AND ${field.shownOn}`, ids, query, ids.length);
    if (items.length === 0) continue;
    const count = items.length > maxConcerned ? `more than ${maxConcerned}` : String(items.length);
    groups.push({
      text: `${count} ${type.displayName} (${field.name})`,
      detail: {
        path: `${type.code}.${field.name}`,
        code: 'REFERENCED_BY',
        message: `${count} ${items.length === 1 ? 'item refers' : 'items refer'} to it`,
        items: items.slice(0, maxNamed),
      },
    });
  }
  return groups;
}

async function deniedGroups(
  { scope }: WriteDependencies,
  denied: readonly Denied[],
  query: RunQuery,
): Promise<readonly RefusedGroup[]> {
  const groups: RefusedGroup[] = [];
  const shown = denied.filter(({ verdict }) => verdict === 'denied').map(({ concerned }) => concerned);
  for (const group of groupsOf(shown, ({ item, action }) => `${action} ${codeOf(item.type)}`)) {
    const [{ action, item }] = group;
    const type = scope.policy.types.find(codeOf(item.type))?.descriptor;
    if (type === undefined) continue;
    const ids = group.map((one) => one.item.id);
    const what = `you have no right to ${action === 'delete' ? 'delete' : 'change'} ${ids.length}`;
    groups.push({
      text: `${what} ${type.displayName} that would be ${action === 'delete' ? 'deleted' : 'changed'} with it`,
      detail: {
        path: type.code,
        code: 'NOT_PERMITTED',
        message: `${what} of the items that would be ${action === 'delete' ? 'deleted' : 'changed'} with it`,
        items: await named(type, '', ids, query),
      },
    });
  }
  return groups;
}

/** Of the items those that the scope sees, the first ones in the order of ids. */
async function named(
  type: ItemTypeDescriptor,
  condition: string,
  ids: readonly string[],
  query: RunQuery,
  max = maxNamed,
): Promise<readonly NamedItem[]> {
  const sql =
    `SELECT t.id::text, left(${labelText(type, 't')}, 200) FROM ${rowsOf(type)} t` +
    ` WHERE t.id = ANY($1::bigint[])${condition} ORDER BY t.id LIMIT ${max}`;
  return (await query({ sql, values: [ids] })).map(([id, label]) => ({ id: String(id), label: String(label) }));
}

function codeOf({ descriptor }: CompiledItemType): string {
  return descriptor.code;
}

/** Those with the same key together, in the order of the first of each. */
function groupsOf<T>(values: readonly T[], keyOfValue: (value: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const value of values) {
    const group = groups.get(keyOfValue(value));
    if (group === undefined) groups.set(keyOfValue(value), [value]);
    else group.push(value);
  }
  return [...groups.values()];
}
